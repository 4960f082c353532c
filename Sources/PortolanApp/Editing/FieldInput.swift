internal import Foundation
internal import PortolanFeatures

/// Converts text typed for a field to the value that is stored.
///
/// A field with a list of values takes a code or its name; a date is ISO 8601, in UTC where it
/// says no offset; nothing typed is `null`. What is left to check, the store's validator checks.
struct FieldInput {
  let field: Field
  /// The values that are allowed, if limited.
  let domain: Domain?

  /// The value that `text` means.
  ///
  /// - Throws: ``FeatureEditError/wrongType(field:expected:found:_:)``.
  func value(of text: String, at place: EditPlace) throws(FeatureEditError) -> AttributeValue {
    guard !text.isEmpty else { return .null }
    if case .codedValue(let list) = domain, let code = Self.code(of: text, in: list.codedValues) {
      return code
    }
    guard let value = Self.value(of: text, as: field.type) else {
      throw .wrongType(field: field.name, expected: field.type, found: .text(text), place)
    }
    return value
  }

  /// The code that `text` is, or whose name it is.
  static func code(of text: String, in list: [CodedValue]) -> AttributeValue? {
    let byCode = list.first { entry in
      switch entry.code {
      case .text(let code): code == text
      case .integer(let code): Int64(text) == code
      case .double(let code): Double(text) == code
      default: false
      }
    }
    return (byCode ?? list.first { $0.name.lowercased() == text.lowercased() })?.code
  }

  private static func value(of text: String, as type: FieldType) -> AttributeValue? {
    switch type {
    case .objectID, .smallInteger, .integer, .bigInteger:
      Int64(text).map { .integer($0) }
    case .single, .double:
      Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    case .date: CivilDate(parsing: text).map { .date($0.date) }
    case .string, .xml, .guid, .globalID, .dateOnly, .timeOnly, .timestampOffset: .text(text)
    case .geometry, .blob, .raster: nil
    }
  }
}
