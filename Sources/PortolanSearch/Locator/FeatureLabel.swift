internal import Foundation
internal import PortolanFeatures

/// The text by which a feature is found and listed.
struct FeatureLabel {
  private let schema: FeatureTableSchema
  private let fields: [String]

  init(_ source: LocatorSource) {
    schema = source.schema
    fields = source.fields
  }

  /// The values of the fields, put together as an address is written; empty if there are none.
  func text(of attributes: Attributes) -> String {
    var label = ""
    var seen: Set<String> = []
    var last: AddressPart?
    for field in fields {
      guard let value = attributes[field], let text = text(value, field, attributes),
        seen.insert(text).inserted
      else { continue }
      let part = AddressPart(field: field)
      label += label.isEmpty ? text : (part?.follows(last) == true ? " " : ", ") + text
      last = part
    }
    return label
  }

  private func text(
    _ value: AttributeValue, _ field: String, _ attributes: Attributes
  ) -> String? {
    if case .codedValue(let domain)? = schema.domain(of: field, in: attributes),
      let name = domain.name(of: value)
    {
      return name
    }
    switch value {
    case .text(let text):
      let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
      return plain.isEmpty ? nil : plain
    case .integer(let number): return String(number)
    case .double(let number): return Int64(exactly: number).map(String.init) ?? "\(number)"
    case .null, .date, .blob: return nil
    }
  }
}
