internal import Foundation
public import PortolanFeatures

extension LabelDefinition {
  /// The label text of one feature.
  public enum LabelText: Hashable, Sendable {
    /// The text, which may have several lines and is never empty.
    case text(String)
    /// The feature has no label: there is nothing to say.
    case none
    /// The expression is not evaluated; the reason is a clause for people.
    case notEvaluated(reason: String)
  }

  /// The fields that the text names.
  public var fields: [String] {
    switch text {
    case .expression(let expression): expression.fields
    case .template(let template): LabelTemplate.braces(template).fields
    case .legacy(let expression): LabelTemplate.legacy(expression)?.fields ?? []
    case .none: []
    }
  }

  /// The label of a feature.
  ///
  /// - Parameters:
  ///   - attributes: The values of the feature.
  ///   - schema: The table, whose domains replace codes by names where the class asks for that.
  /// - Returns: The text, or why there is none.
  public func labelText(for attributes: Attributes, of schema: FeatureTableSchema) -> LabelText {
    switch text {
    case .expression(let expression):
      switch expression.evaluate(attributes, in: ArcadeContext(schema: schema)) {
      case .value(let value): return Self.label(LabelTemplate.text(of: value))
      case .notEvaluated(let reason): return .notEvaluated(reason: reason)
      }
    case .template(let template):
      return Self.label(LabelTemplate.braces(template).text { value($0, attributes, schema) })
    case .legacy(let expression):
      guard let template = LabelTemplate.legacy(expression) else {
        return .notEvaluated(reason: "The label expression is not understood: \"\(expression)\".")
      }
      return Self.label(template.text { value($0, attributes, schema) })
    case .none: return .none
    }
  }

  private func value(
    _ name: String, _ attributes: Attributes, _ schema: FeatureTableSchema
  ) -> String {
    guard let value = attributes[name] else { return "" }
    if usesCodedValues, case .codedValue(let domain)? = schema.domain(of: name, in: attributes),
      let label = domain.name(of: value)
    {
      return label
    }
    return written(value, as: formats[name.lowercased()])
  }

  /// A value in the format that the class gives its field, if any; what no format is for stays as it is.
  private func written(_ value: AttributeValue, as format: PopupFieldFormat?) -> String {
    switch (value, format) {
    case (.integer(let number), let format?): format.text(of: number)
    case (.double(let number), let format?): format.text(of: number)
    case (.date(let date), let format?):
      format.dateFormat?.text(of: date, in: .gmt) ?? LabelTemplate.text(of: value)
    default: LabelTemplate.text(of: value)
    }
  }

  private static func label(_ text: String) -> LabelText {
    let trimmed = text.trimmingBlanks()
    return trimmed.isEmpty ? .none : .text(trimmed)
  }
}
