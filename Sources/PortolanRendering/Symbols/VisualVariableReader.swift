internal import PortolanFeatures
internal import PortolanMap

/// Works out what the values of a feature change of its symbol.
struct VisualVariableReader: Sendable {
  private let variables: [(variable: VisualVariable, expression: ArcadeExpression?)]
  private let rotation: RendererRotation?
  private let pixelsPerPoint: Double
  /// What cannot be taken into account, in clauses for people.
  let problems: [String]

  init(_ renderer: Renderer, pixelsPerPoint: Double) {
    self.pixelsPerPoint = pixelsPerPoint
    variables = renderer.visualVariables.map { variable in
      (variable, variable.field == nil ? variable.valueExpression.map(ArcadeExpression.init) : nil)
    }
    rotation = RendererRotation(json: renderer.json)
    problems = variables.compactMap { entry in
      if case .other(let name) = entry.variable.kind {
        return "the visual variable «\(name)» is left out"
      }
      let isUnderstood = entry.expression?.isUnderstood ?? true
      return isUnderstood ? nil : "a visual variable depends on Arcade that is not evaluated"
    }
  }

  /// Whether no value changes anything.
  var isEmpty: Bool { variables.isEmpty && rotation == nil }

  /// The fields whose values are asked for.
  var fields: [String] {
    variables.flatMap { entry in
      [entry.variable.field, entry.variable.normalizationField].compactMap(\.self)
        + (entry.expression?.fields ?? [])
    } + [rotation?.field].compactMap(\.self)
  }

  /// What a feature with these values changes.
  func variation(for attributes: Attributes) -> SymbolVariation {
    var variation = SymbolVariation()
    variation.heading = rotation?.heading(for: attributes)
    for (variable, expression) in variables {
      guard let value = Self.value(variable, expression, attributes) else { continue }
      apply(variable.kind, value, to: &variation)
    }
    return variation
  }

  private func apply(
    _ kind: VisualVariable.Kind, _ value: Double, to variation: inout SymbolVariation
  ) {
    switch kind {
    case .size(let stops):
      variation.size = Self.interpolated(value, stops.map { ($0.value, $0.size) })
        .map { min(max($0 * pixelsPerPoint, 0), SymbolReader.maximumLength) }
    case .color(let stops): variation.color = ColorRamp(stops).color(at: value)
    case .transparency(let stops):
      variation.opacity = Self.interpolated(value, stops.map { ($0.value, $0.transparency) })
        .map { 1 - $0 / 100 }
    case .rotation(let convention):
      variation.heading = convention == .geographic ? value : 90 - value
    case .other: break
    }
  }

  private static func value(
    _ variable: VisualVariable, _ expression: ArcadeExpression?, _ attributes: Attributes
  ) -> Double? {
    let raw =
      variable.field.flatMap { attributes[$0]?.number }
      ?? expression?.evaluate(attributes).value?.number
    guard let number = raw, number.isFinite else { return nil }
    guard let divisor = variable.normalizationField else { return number }
    guard let share = attributes[divisor]?.number, share != 0 else { return nil }
    return number / share
  }

  /// The value on the line through the stops; beyond the ends, that of the nearer one.
  static func interpolated(_ value: Double, _ stops: [(Double, Double)]) -> Double? {
    let stops = stops.sorted { $0.0 < $1.0 }
    guard let first = stops.first, let last = stops.last else { return nil }
    if value <= first.0 { return first.1 }
    if value >= last.0 { return last.1 }
    guard let index = stops.firstIndex(where: { value < $0.0 }) else { return last.1 }
    let (low, high) = (stops[index - 1], stops[index])
    let between = low.1 + (high.1 - low.1) * (value - low.0) / (high.0 - low.0)
    // Stops that are absurdly far apart have nothing between them.
    return between.isFinite ? between : low.1
  }
}
