internal import Foundation
internal import PortolanFeatures

/// Converts text typed for a field to the value that is stored.
///
/// A field with a list of values takes a code, its name, or both as in `2 (Ash)`; a date is ISO 8601, in UTC
/// where it says no offset; nothing typed is `null`. What is left to check, the store's validator checks.
struct FieldInput {
  let field: Field
  /// The values that are allowed, if limited.
  let domain: Domain?
  /// Whether text is a code of the list and no name, as where a person has chosen from it.
  var isCode = false

  /// The value that `text` means; where ``ambiguity(of:)`` finds several, the one whose code it is.
  ///
  /// - Throws: ``FeatureEditError/wrongType(field:expected:found:_:)``; of a field with a list of values
  ///   ``FeatureEditError/valueNotInDomain(field:value:domain:_:)``, which says what there is to choose from.
  func value(of text: String, at place: EditPlace) throws(FeatureEditError) -> AttributeValue {
    guard !text.isEmpty else { return .null }
    if let entry = meanings(of: text).first { return entry.code }
    guard let value = Self.value(of: text, as: field.type) else {
      if let domain, case .codedValue = domain {
        throw .valueNotInDomain(field: field.name, value: .text(text), domain: domain, place)
      }
      throw .wrongType(field: field.name, expected: field.type, found: .text(text), place)
    }
    return value
  }

  /// The fault that `text` means more than one value of the list: it is the code of one and the
  /// name of another, or the name of several; `nil` if it does not.
  func ambiguity(of text: String) -> Problem? {
    let meanings = meanings(of: text)
    guard meanings.count > 1 else { return nil }
    let texts = meanings.prefix(3).map { "\"\(Self.text(ofBoth: $0))\"" }
    return Problem(
      message: "\"\(text)\" may be one of several values of \(field.alias).",
      suggestion: "Give \(texts.joined(separator: " or ")).")
  }

  /// The text that a user types for an entry of the list: its name, with its code where the name
  /// alone is ambiguous.
  func text(for entry: CodedValue) -> String {
    meanings(of: entry.name).count > 1 ? Self.text(ofBoth: entry) : entry.name
  }

  /// The entries that `text` may mean, that of which it is the code first.
  private func meanings(of text: String) -> [CodedValue] {
    guard !text.isEmpty, case .codedValue(let choices) = domain else { return [] }
    let list = choices.codedValues
    let coded = Array(list.filter { Self.isCode(text, of: $0) }.prefix(1))
    guard !isCode else { return coded }
    let exact: [CodedValue] = coded + list.filter { $0.name == text }
    guard exact.isEmpty else { return Self.unique(exact) }
    let whole = list.filter { Self.text(ofBoth: $0) == text }
    guard whole.isEmpty else { return Self.unique(whole) }
    return Self.unique(list.filter { $0.name.lowercased() == text.lowercased() })
  }

  private static func unique(_ entries: [CodedValue]) -> [CodedValue] {
    var seen: Set<AttributeValue> = []
    return entries.filter { seen.insert($0.code).inserted }
  }

  private static func isCode(_ text: String, of entry: CodedValue) -> Bool {
    switch entry.code {
    case .text(let code): code == text
    case .integer(let code): Int64(text) == code
    case .double(let code): Double(text) == code
    default: false
    }
  }

  private static func text(ofBoth entry: CodedValue) -> String {
    switch entry.code {
    case .text(let code): "\(code) (\(entry.name))"
    case .integer(let code): "\(code) (\(entry.name))"
    case .double(let code): "\(code) (\(entry.name))"
    default: entry.name
    }
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
