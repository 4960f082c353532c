internal import Foundation
internal import PortolanFeatures
internal import PortolanXML

/// The XML definition of a domain, as `GDB_Items` holds it.
///
/// - SeeAlso: Docs/FORMATS.md, 2.4
struct DomainDocument {
  private let root: XMLElement

  /// Reads a document; `nil` if it is none of a domain.
  init?(_ text: String) {
    // A domain that cannot be parsed limits nothing; the values themselves stay readable.
    guard let root = try? XMLElement(parsing: text), root.child("DomainName") != nil else {
      return nil
    }
    self.root = root
  }

  /// The name by which fields refer to it.
  var name: String { root.text(of: "DomainName") ?? "" }

  /// The domain for values of a type.
  func domain(as type: FieldType) -> Domain? {
    switch root.name {
    case "GPCodedValueDomain2", "GPCodedValueDomain":
      let values = (root.child("CodedValues")?.children ?? []).compactMap { element in
        element.child("Code").map { code in
          CodedValue(code: value(code, type), name: element.text(of: "Name") ?? code.text)
        }
      }
      return .codedValue(CodedValueDomain(name: name, codedValues: values))
    case "GPRangeDomain2", "GPRangeDomain":
      guard let minimum = root.child("MinValue"), let maximum = root.child("MaxValue") else {
        return nil
      }
      return .range(
        RangeDomain(name: name, minimum: value(minimum, type), maximum: value(maximum, type)))
    default: return nil
    }
  }

  private func value(_ element: XMLElement, _ type: FieldType) -> AttributeValue {
    let text = element.text
    switch type {
    case .objectID, .smallInteger, .integer, .bigInteger:
      return Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) } ?? .text(text)
    case .single, .double: return Double(text).map { .double($0) } ?? .text(text)
    case .date: return CivilDate(parsing: text).map { .date($0.date) } ?? .text(text)
    default: return .text(text)
    }
  }
}
