internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanMap
internal import PortolanSymbols

/// Finds the symbol of each feature, and works each symbol out only once.
struct FeatureSymbolizer {
  /// A renderer with more classes than this is unusual; symbols are then worked out again.
  private static let maximumCount = 4096

  private enum Key: Hashable {
    /// A class, and the values that features give its symbol.
    indirect case overridden(Key, [AttributeValue?])
    case all
    case values([AttributeValue])
    case range(Int)
    case others
  }

  private let renderer: Renderer
  private let expression: ArcadeExpression?
  private let reader: SymbolReader
  /// The background below the symbol of each area, if there is one.
  let background: SymbolStyle?
  /// The overrides of symbols of ArcGIS Pro by features, of all classes.
  private let overrides: [PrimitiveOverrides]
  /// The same by class, as far as it was requested.
  private var overridesByClass: [Key: PrimitiveOverrides] = [:]
  private var styles: [Key: SymbolStyle?] = [:]

  init(_ renderer: Renderer, pixelsPerPoint: Double) {
    self.renderer = renderer
    reader = SymbolReader(pixelsPerPoint: pixelsPerPoint)
    expression = renderer.classExpression.map(ArcadeExpression.init)
    overrides = Self.overrides(of: renderer)
    let hasBackground =
      switch renderer {
      case .uniqueValue, .classBreaks: true
      default: false
      }
    background =
      hasBackground ? Symbol(json: renderer.json["backgroundFillSymbol"]).map(reader.style) : nil
  }

  /// The reasons why features do not get their symbols, in clauses for people.
  var problems: [String] {
    let problems = overrides.flatMap(\.problems)
    guard problems.isEmpty else { return problems }
    switch renderer {
    case .dictionary, .other:
      return ["a renderer of the kind \"\(renderer.type)\" is not drawn"]
    case .temporal: return ["only single observations are drawn, no tracks"]
    case .pieChart(let renderer): return Self.problems(of: renderer.attributes)
    case .dotDensity(let renderer): return Self.problems(of: renderer.attributes)
    default:
      return expression?.problem.map {
        ["its classes depend on Arcade that is not evaluated: \($0)"]
      } ?? []
    }
  }

  private static func problems(of attributes: [AttributeColor]) -> [String] {
    let isUnderstood = attributes.allSatisfy { attribute in
      attribute.field != nil
        || attribute.valueExpression.map { ArcadeExpression($0).isUnderstood } ?? false
    }
    return isUnderstood ? [] : ["a part of its charts depends on Arcade that is not evaluated"]
  }

  /// The fields whose values choose the symbol.
  var fields: [String] {
    renderer.classFields + (expression?.fields ?? []) + overrides.flatMap(\.fields)
  }

  /// The maximum distance of anything drawn from a point, in pixels; `nil` unless every symbol is a
  /// simple marker, whose lengths tell.
  var pointReach: Double? {
    let symbols: [Symbol?]
    switch renderer {
    case .simple(let renderer): symbols = [renderer.symbol]
    case .uniqueValue(let renderer):
      symbols = renderer.classes.map(\.symbol) + [renderer.defaultSymbol]
    case .classBreaks(let renderer):
      symbols = renderer.classBreaks.map(\.symbol) + [renderer.defaultSymbol]
    default: return nil
    }
    guard symbols.count <= Self.maximumCount else { return nil }
    var reach = 0.0
    for case let symbol? in symbols {
      // Mitred corners of outlines reach farther than the lengths say.
      guard case .simpleMarker(let marker) = symbol, reader.stroke(marker.outline)?.join != .miter
      else { return nil }
      reach = max(reach, reader.style(for: symbol).reach)
    }
    return reach
  }

  /// The symbol of a feature; `nil` if it has none.
  mutating func style(for attributes: Attributes) -> SymbolStyle? {
    var key = key(for: attributes)
    var symbol: Symbol?
    if !overrides.isEmpty {
      symbol = renderer.symbol(for: attributes)
      if let json = symbol?.json {
        let override = overridesByClass[key] ?? PrimitiveOverrides(json)
        if overridesByClass.count < Self.maximumCount { overridesByClass[key] = override }
        let values = override.values(for: attributes)
        key = .overridden(key, values)
        symbol = Symbol(json: override.applied(values, to: json))
      }
    }
    if let known = styles[key] { return known }
    let style = (symbol ?? renderer.symbol(for: attributes)).map(reader.style)
    if styles.count < Self.maximumCount { styles[key] = .some(style) }
    return style
  }

  /// The reason why a feature has no symbol, where its class could not be computed.
  func failure(for attributes: Attributes) -> String? {
    guard let expression, expression.isUnderstood,
      case .notEvaluated(let reason) = expression.evaluate(attributes)
    else { return nil }
    return reason
  }

  /// Of renderers with very many classes only the first ones are looked at.
  private static func overrides(of renderer: Renderer) -> [PrimitiveOverrides] {
    renderer.legendEntries.prefix(maximumCount).compactMap { $0.symbol?.json }
      .filter { !$0.objects("primitiveOverrides").isEmpty }.map(PrimitiveOverrides.init)
  }

  private func key(for attributes: Attributes) -> Key {
    switch renderer {
    case .uniqueValue(let renderer):
      guard renderer.fields.isEmpty else {
        return .values(renderer.fields.map { attributes[$0] ?? .null })
      }
      return expression?.evaluate(attributes).value.map { .values([$0]) } ?? .others
    case .classBreaks(let renderer):
      // Without a value of the expression there is no symbol at all, not even that of others.
      if let expression, expression.evaluate(attributes).value == nil { return .values([]) }
      return renderer.classBreakIndex(for: attributes).map { .range($0) } ?? .others
    case .temporal: return .values(attributes.values)
    default: return .all
    }
  }
}

extension Renderer {
  /// The expression that chooses the class, if no field does.
  fileprivate var classExpression: String? {
    switch self {
    case .uniqueValue(let renderer): renderer.fields.isEmpty ? renderer.valueExpression : nil
    case .classBreaks(let renderer): renderer.field == nil ? renderer.valueExpression : nil
    default: nil
    }
  }

  fileprivate var classFields: [String] {
    switch self {
    case .uniqueValue(let renderer): return renderer.fields
    case .classBreaks(let renderer):
      guard case .byField(let divisor) = renderer.normalization else {
        return [renderer.field].compactMap(\.self)
      }
      return [renderer.field, divisor].compactMap(\.self)
    case .heatmap(let renderer): return [renderer.field].compactMap(\.self)
    case .temporal(let renderer): return renderer.observationRenderer?.classFields ?? []
    default: return []
    }
  }
}
