internal import PortolanFeatures
internal import PortolanMap

/// Finds the symbol of each feature, and works each symbol out only once.
struct FeatureSymbolizer {
  /// A renderer with more classes than this is unusual; symbols are then worked out anew.
  private static let maximumCount = 4096

  private enum Key: Hashable {
    case all
    case values([AttributeValue])
    case upTo(Double)
    case others
  }

  private let renderer: Renderer
  private let expression: ArcadeExpression?
  private let reader: SymbolReader
  private var styles: [Key: SymbolStyle?] = [:]

  init(_ renderer: Renderer, pixelsPerPoint: Double) {
    self.renderer = renderer
    reader = SymbolReader(pixelsPerPoint: pixelsPerPoint)
    expression = renderer.classExpression.map(ArcadeExpression.init)
  }

  /// What keeps features from getting their symbols, as a clause for people.
  var problem: String? {
    switch renderer {
    case .dictionary, .other:
      "a renderer of the kind «\(renderer.type)» is not drawn"
    case .temporal: "only single observations are drawn, no tracks"
    default:
      expression?.isUnderstood == false
        ? "its classes depend on Arcade that is not evaluated" : nil
    }
  }

  /// The fields whose values choose the symbol.
  var fields: [String] { renderer.classFields + (expression?.fields ?? []) }

  /// The symbol of a feature; `nil` if it has none.
  mutating func style(for attributes: Attributes) -> SymbolStyle? {
    let key = key(for: attributes)
    if let known = styles[key] { return known }
    let style = renderer.symbol(for: attributes).map(reader.style)
    if styles.count < Self.maximumCount { styles[key] = .some(style) }
    return style
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
      return renderer.classBreak(for: attributes).map { .upTo($0.maximum) } ?? .others
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
