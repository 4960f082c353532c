internal import Foundation
internal import PortolanFeatures

/// The text by which a feature is found and listed.
struct FeatureLabel {
  /// A field of the label, and what is known of it before any feature is.
  private struct Part {
    let name: String
    let address: AddressPart?
    /// Whether its values may be codes with names.
    let mayBeCoded: Bool
  }

  private let schema: FeatureTableSchema
  private let parts: [Part]

  init(_ source: LocatorSource) {
    let schema = source.schema
    self.schema = schema
    parts = source.fields.map { name in
      Part(
        name: name, address: AddressPart(field: name),
        mayBeCoded: schema.typeIDField != nil || schema.field(named: name)?.domain != nil)
    }
  }

  /// The values of the fields, put together as an address is written; empty if there are none.
  func text(of attributes: Attributes) -> String {
    var label = ""
    var seen: [String] = []
    var last: AddressPart?
    for part in parts {
      guard let value = attributes[part.name], let text = text(value, part, attributes),
        !seen.contains(text)
      else { continue }
      if !label.isEmpty { label += part.address?.follows(last) == true ? " " : ", " }
      label += text
      last = part.address
      if parts.count > 1 { seen.append(text) }
    }
    return label
  }

  private func text(_ value: AttributeValue, _ part: Part, _ attributes: Attributes) -> String? {
    if part.mayBeCoded,
      case .codedValue(let domain)? = schema.domain(of: part.name, in: attributes),
      let name = domain.name(of: value)
    {
      return name
    }
    switch value {
    case .text(let text):
      let plain = Self.trimmed(text)
      return plain.isEmpty ? nil : plain
    case .integer(let number): return String(number)
    case .double(let number): return Int64(exactly: number).map(String.init) ?? "\(number)"
    case .null, .date, .blob: return nil
    }
  }

  /// A text without the white space around it, which few have.
  private static func trimmed(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last else { return text }
    let isPlain = first > 0x20 && first < 0x7F && last > 0x20 && last < 0x7F
    return isPlain ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
