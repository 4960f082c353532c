internal import Foundation
public import PortolanJSON

extension AttributeValue {
  /// Reads a value as services and packages write it.
  ///
  /// Dates are milliseconds since 1970 in UTC, blobs are Base64, GUIDs get the braces that some
  /// servers leave away. A value of another kind than the field's is taken over as far as it
  /// makes sense (`"12"` in a field of numbers, `1` in a field of text); what does not is text if
  /// it was written as such, else `null`.
  public init(json: JSONValue, as type: FieldType) {
    switch type {
    case .objectID, .smallInteger, .integer, .bigInteger: self = .wholeNumber(json)
    case .single, .double: self = .fraction(json)
    case .date: self = .moment(json)
    case .guid, .globalID: self = .guid(json)
    case .blob, .raster, .geometry: self = .bytes(json)
    case .string, .xml, .dateOnly, .timeOnly, .timestampOffset: self = .plain(json)
    }
  }

  /// The value as services write it; see ``init(json:as:)``.
  ///
  /// A date that no calendar holds is `null`.
  public func json(as type: FieldType) -> JSONValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .double(let value): .number(value)
    case .text(let text): .string(text)
    case .blob(let data): .string(data.base64EncodedString())
    case .date(let date):
      type == .date
        ? Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()).map { .integer($0) }
          ?? .null
        : CivilDate(date).map { .string($0.iso8601) } ?? .null
    }
  }

  private static func wholeNumber(_ json: JSONValue) -> AttributeValue {
    switch json {
    case .integer(let value): .integer(value)
    case .number(let value): Int64(exactly: value).map { .integer($0) } ?? .double(value)
    case .bool(let isTrue): .integer(isTrue ? 1 : 0)
    case .string(let text): Int64(text).map { .integer($0) } ?? number(in: text)
    default: .null
    }
  }

  private static func fraction(_ json: JSONValue) -> AttributeValue {
    switch json {
    case .integer(let value): .double(Double(value))
    case .number(let value): .double(value)
    case .bool(let isTrue): .double(isTrue ? 1 : 0)
    case .string(let text): number(in: text)
    default: .null
    }
  }

  /// The number that a text writes; `"NaN"`, which services write for none, is none.
  private static func number(in text: String) -> AttributeValue {
    guard let value = Double(text) else { return .text(text) }
    return value.isFinite ? .double(value) : .null
  }

  private static func moment(_ json: JSONValue) -> AttributeValue {
    if let milliseconds = json.double {
      return .date(Date(timeIntervalSince1970: milliseconds / 1000))
    }
    guard let text = json.string else { return .null }
    return CivilDate(parsing: text).map { .date($0.date) } ?? .text(text)
  }

  private static func guid(_ json: JSONValue) -> AttributeValue {
    guard let text = json.string else { return .null }
    return .text(UUID(uuidString: text) == nil ? text : "{\(text)}")
  }

  private static func bytes(_ json: JSONValue) -> AttributeValue {
    guard let text = json.string else { return .null }
    return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .blob($0) }
      ?? .text(text)
  }

  private static func plain(_ json: JSONValue) -> AttributeValue {
    switch json {
    case .null: .null
    case .string(let text): .text(text)
    default: .text(json.text())
    }
  }
}
