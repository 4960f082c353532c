public import PortolanFeatures

extension LabelDefinition {
  /// A piece of the text of a label.
  public enum Piece: Hashable, Sendable {
    /// The same text for all features.
    case text(String)
    /// The value of a field.
    case field(String)
    /// The value of a field, codes as the names that its domain gives them.
    case domainName(String)
  }

  /// The pieces that the text of a label joins, for those who write it in another language.
  ///
  /// - Parameter schema: The table, which distinguishes numbers from texts: Arcade adds numbers up.
  /// - Returns: The pieces; `nil` if the text does anything else, or says nothing.
  public func pieces(of schema: FeatureTableSchema) -> [Piece]? {
    switch text {
    case .expression(let expression): expression.pieces(of: schema)
    case .template(let template): pieces(of: .braces(template))
    case .legacy(let expression): LabelTemplate.legacy(expression).map { pieces(of: $0) }
    case .none: nil
    }
  }

  private func pieces(of template: LabelTemplate) -> [Piece] {
    template.parts.compactMap { part in
      switch part {
      case .text(let text): text.isEmpty ? nil : .text(text)
      case .field(let name): usesCodedValues ? .domainName(name) : .field(name)
      }
    }
  }
}
