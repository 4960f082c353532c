package import PortolanJSON

/// A value of a property of a style, ready to be evaluated for many features.
///
/// - SeeAlso: [Expressions](https://maplibre.org/maplibre-style-spec/expressions/)
package struct StyleExpression: Sendable {
  private let node: any ExpressionNode
  /// Whether the value is the same for all features.
  package let isFeatureConstant: Bool
  /// Whether the value is the same at all zooms.
  package let isZoomConstant: Bool
  /// The interpolation between zooms; `nil` if values change in steps, if at all.
  private let zoomInterpolation: Interpolation?
  /// The zooms for which the curve over zooms names values, rising; none without such a curve.
  private let zoomStops: [Double]

  /// Whether the value jumps at some zooms, and is the same between them.
  package var changesInSteps: Bool { !isZoomConstant && zoomInterpolation == nil }

  /// The inputs for which the curve that the expression is names values, rising; `nil` if it is none
  /// that mixes values.
  package var stops: [Double]? { (node as? InterpolationNode)?.labels }

  /// The type of the values as the specification names it.
  package var typeName: String { node.type.description }

  /// Reads an expression, or a function of older styles.
  ///
  /// - Parameters:
  ///   - json: The expression.
  ///   - specification: What the specification says of the property; `nil` where any value will do.
  /// - Throws: What is wrong with it.
  package init(
    _ json: JSONValue, for specification: PropertySpecification? = nil
  ) throws(ExpressionProblems) {
    let plain = PropertySpecification(.null)
    var expression = json
    if let object = json.object {
      expression = try LegacyFunction(object, specification ?? plain).expression()
    }
    let state = ParsingState()
    let context = ParsingContext(state, expected: specification?.kind.expressionType)
    guard
      let node = context.parse(
        expression, annotation: specification?.kind == .string ? .coerce : nil)
    else { throw ExpressionProblems(state.problems) }
    try self.init(node, specification ?? plain)
  }

  /// Reads a value of a property: an expression, a function, or a value that is the same everywhere.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - specification: What the specification says about the property.
  /// - Throws: What is wrong with it.
  package init(
    value json: JSONValue, for specification: PropertySpecification
  ) throws(ExpressionProblems) {
    if specification.hasTokens, let text = json.string, text.contains("{") {
      try self.init(TokenText(text).expression, for: specification)
    } else if let list = json.array, !Self.isExpression(list, specification) {
      try self.init(["literal", json], for: specification)
    } else {
      try self.init(json, for: specification)
    }
  }

  /// Lists of texts may look like expressions; where no list is expected they are meant as such.
  private static func isExpression(
    _ list: [JSONValue], _ specification: PropertySpecification
  ) -> Bool {
    guard let name = list.first?.string else { return false }
    if ParsingContext.operators[name] != nil || ExpressionFunction.named[name] != nil {
      return true
    }
    switch specification.kind {
    case .array, .padding, .numberArray, .colorArray, .variableAnchorOffsetCollection,
      .projectionDefinition:
      return false
    default: return true
    }
  }

  /// Reads a condition on features, which may use the zoom anywhere: conditions are evaluated at
  /// whole zooms only.
  init(condition json: JSONValue) throws(ExpressionProblems) {
    let state = ParsingState()
    let context = ParsingContext(state, expected: .boolean)
    guard let node = context.parse(json) else { throw ExpressionProblems(state.problems) }
    self.node = node
    isFeatureConstant = !node.dependencies.contains(.feature)
    isZoomConstant = !node.dependencies.contains(.zoom)
    zoomInterpolation = nil
    zoomStops = []
  }

  private init(
    _ node: any ExpressionNode, _ specification: PropertySpecification
  ) throws(ExpressionProblems) {
    let dependencies = node.dependencies
    isFeatureConstant = !dependencies.contains(.feature)
    isZoomConstant = !dependencies.contains(.zoom)
    self.node = node
    guard isFeatureConstant || specification.allowsFeatures else {
      throw ExpressionProblems("This property is the same for all features.")
    }
    guard isZoomConstant || specification.allowsZoom else {
      throw ExpressionProblems("This property is the same at all zooms.")
    }
    let curve = try ZoomCurve(in: node)
    guard isZoomConstant || curve != nil else { throw ZoomCurve.misplaced }
    zoomInterpolation = curve?.interpolation
    zoomStops = curve?.stops ?? []
    guard zoomInterpolation == nil || specification.isInterpolated else {
      throw ExpressionProblems("Values of this property cannot be mixed; use \"step\".")
    }
  }

  /// The value for a feature at a zoom.
  package func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    try node.value(context)
  }

  /// The value for a feature, mixed of those at the whole zooms around, which is what tiles that are
  /// laid out once hold.
  package func valueBetweenWholeZooms(
    _ context: EvaluationContext
  ) throws(EvaluationFault) -> StyleValue {
    let whole = context.zoom.rounded(.down)
    guard whole != context.zoom else { return try node.value(context) }
    var (below, above) = (context, context)
    below.zoom = whole
    above.zoom = whole + 1
    let low = try node.value(below)
    guard let zoomInterpolation else { return low }
    let share = zoomInterpolation.share(of: context.zoom, between: whole, and: whole + 1)
    return try low.mixed(with: node.value(above), share: share, in: .rgb) ?? low
  }

  /// The value for a feature, mixed of those at the stops that enclose the whole zooms around.
  ///
  /// So sizes of symbols change, which tiles keep for those two stops: what a stop between them says
  /// is passed over.
  package func valueBetweenEnclosingStops(
    _ context: EvaluationContext
  ) throws(EvaluationFault) -> StyleValue {
    // Scales are rounded in the sixth digit: what is so near a whole zoom is that.
    let whole = (context.zoom + 1e-4).rounded(.down)
    guard let zoomInterpolation,
      let low = zoomStops.last(where: { $0 <= whole }) ?? zoomStops.first,
      let high = zoomStops.first(where: { $0 >= max(whole + 1, low) }) ?? zoomStops.last,
      zoomStops.contains(where: { $0 > low && $0 < high })
    else { return try node.value(context) }
    var (below, above) = (context, context)
    below.zoom = low
    above.zoom = high
    let share = zoomInterpolation.share(
      of: min(max(context.zoom, low), high), between: low, and: high)
    let value = try node.value(below)
    return try value.mixed(with: node.value(above), share: share, in: .rgb) ?? value
  }
}

/// The one curve over zooms that an expression may have.
private struct ZoomCurve {
  static let misplaced = ExpressionProblems(
    "\"zoom\" may stand only as the input of a \"step\" or \"interpolate\" that is outermost.")

  /// Its path: the indexes of children on the way.
  let path: [Int]
  /// `nil` for steps.
  let interpolation: Interpolation?
  /// The zooms for which it names values.
  let stops: [Double]

  /// Finds curves over zooms, and refuses all but one that is outermost.
  init?(in node: any ExpressionNode) throws(ExpressionProblems) {
    guard let found = try Self.find(node, at: []) else { return nil }
    self = found
  }

  private init(path: [Int], interpolation: Interpolation?, stops: [Double]) {
    self.path = path
    self.interpolation = interpolation
    self.stops = stops
  }

  private static func find(
    _ node: any ExpressionNode, at path: [Int]
  ) throws(ExpressionProblems) -> ZoomCurve? {
    var result: ZoomCurve?
    // Each child is looked at once, for expressions can be deep.
    var inner: [ZoomCurve?] = []
    for (index, child) in node.children.enumerated() {
      inner.append(try find(child, at: path + [index]))
    }
    switch node {
    case is BindingNode: result = inner.last ?? nil
    case is CoalesceNode: result = inner.lazy.compactMap(\.self).first
    case let step as StepNode where step.input.isZoom:
      result = ZoomCurve(path: path, interpolation: nil, stops: [])
    case let curve as InterpolationNode where curve.input.isZoom:
      result = ZoomCurve(path: path, interpolation: curve.interpolation, stops: curve.labels)
    default: break
    }
    for curve in inner.compactMap(\.self) {
      guard let result else { throw misplaced }
      guard curve.path == result.path else {
        throw ExpressionProblems("An expression may have one curve over zooms only.")
      }
    }
    return result
  }
}

extension ExpressionNode {
  /// Whether this is the zoom itself.
  fileprivate var isZoom: Bool { (self as? FunctionCall)?.dependency == .zoom }
}
