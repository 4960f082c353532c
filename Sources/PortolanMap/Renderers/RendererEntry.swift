public import PortolanFeatures

/// A renderer's result for one feature: a symbol and its name in the legend.
public struct RendererEntry: Hashable, Sendable {
  /// The symbol, or `nil` if such features are not drawn.
  public let symbol: Symbol?
  /// The name for people; may be empty.
  public let label: String

  /// Creates an entry.
  public init(symbol: Symbol?, label: String) {
    self.symbol = symbol
    self.label = label
  }
}

extension Renderer {
  /// The symbol and label of a feature.
  ///
  /// `nil` if the renderer has none for it: because no class takes it and there is no default,
  /// because the kind draws all features as one picture (heat maps), or because the class depends
  /// on an expression that is not evaluated (see ``ArcadeExpression``).
  public func entry(for attributes: Attributes) -> RendererEntry? {
    switch self {
    case .simple(let renderer): renderer.entry
    case .uniqueValue(let renderer): renderer.entry(for: attributes)
    case .classBreaks(let renderer): renderer.entry(for: attributes)
    case .temporal(let renderer): renderer.observationRenderer?.entry(for: attributes)
    case .heatmap, .dotDensity, .pieChart, .dictionary, .other: nil
    }
  }

  /// The symbol of a feature; see ``entry(for:)``.
  public func symbol(for attributes: Attributes) -> Symbol? { entry(for: attributes)?.symbol }
}
