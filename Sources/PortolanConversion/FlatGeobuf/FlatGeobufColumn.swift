internal import Foundation
internal import PortolanFeatures

/// A column of a FlatGeobuf file.
struct FlatGeobufColumn {
  /// The types of values, by their numbers in files.
  enum Kind: UInt8 {
    case byte, unsignedByte, bool, short, unsignedShort, int, unsignedInt, long, unsignedLong
    case float, double, string, json, dateTime, binary

    /// How many bytes a value has; `nil` for those that say it.
    var size: Int? {
      switch self {
      case .byte, .unsignedByte, .bool: 1
      case .short, .unsignedShort: 2
      case .int, .unsignedInt, .float: 4
      case .long, .unsignedLong, .double: 8
      case .string, .json, .dateTime, .binary: nil
      }
    }
  }

  var name: String
  var alias: String?
  var kind: Kind

  /// The type of the values here.
  var type: FieldType {
    switch kind {
    case .byte, .unsignedByte, .bool, .short: .smallInteger
    case .unsignedShort, .int: .integer
    case .unsignedInt, .long, .unsignedLong: .bigInteger
    case .float: .single
    case .double: .double
    case .string, .json: .string
    case .dateTime: .date
    case .binary: .blob
    }
  }

  /// The kind of the values of a field; `nil` if files have no place for them.
  static func kind(of type: FieldType) -> Kind? {
    switch type {
    case .smallInteger: .short
    case .integer: .int
    case .objectID, .bigInteger: .long
    case .single: .float
    case .double: .double
    case .date, .dateOnly: .dateTime
    case .blob: .binary
    case .string, .guid, .globalID, .xml, .timeOnly, .timestampOffset: .string
    case .geometry, .raster: nil
    }
  }

  /// The value that bytes hold.
  func value(_ bytes: ArraySlice<UInt8>) -> AttributeValue {
    let bits = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch kind {
    case .byte: return .integer(Int64(Int8(truncatingIfNeeded: bits)))
    case .short: return .integer(Int64(Int16(truncatingIfNeeded: bits)))
    case .int: return .integer(Int64(Int32(truncatingIfNeeded: bits)))
    case .long: return .integer(Int64(bitPattern: bits))
    case .unsignedByte, .bool, .unsignedShort, .unsignedInt: return .integer(Int64(bits))
    case .unsignedLong:
      return Int64(exactly: bits).map(AttributeValue.integer) ?? .double(Double(bits))
    case .float: return .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case .double: return .double(Double(bitPattern: bits))
    case .string, .json, .dateTime: return .text(String(decoding: bytes, as: UTF8.self))
    case .binary: return .blob(Data(bytes))
    }
  }

  /// The bytes of a value; `nil` if it is none of this kind.
  func bytes(_ value: AttributeValue) -> [UInt8]? {
    guard let size = kind.size else { return text(value).map(Self.sized) }
    var bytes: [UInt8] = []
    switch (kind, value) {
    case (.float, _):
      guard let number = value.number else { return nil }
      bytes.add(UInt64(Float(number).bitPattern), size: size)
    case (.double, _):
      guard let number = value.number else { return nil }
      bytes.add(number.bitPattern, size: size)
    case (_, .integer(let number))
    where number >> (8 * size - 1) == 0 || ~number >> (8 * size - 1) == 0:
      bytes.add(UInt64(bitPattern: number), size: size)
    default: return nil
    }
    return bytes
  }

  private func text(_ value: AttributeValue) -> [UInt8]? {
    switch value {
    // Readers may refuse a file for one text that is no moment.
    case .text(let text) where kind == .dateTime && Self.date(text) == nil: nil
    case .text(let text): Array(text.utf8)
    case .blob(let data): Array(data)
    case .date(let date): Array(date.momentText.utf8)
    case .null, .integer, .double: nil
    }
  }

  private static func sized(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.add(UInt64(content.count), size: 4)
    return bytes + content
  }

  /// Whether a text says a day and no time.
  static func isDay(_ text: String) -> Bool {
    text.utf8.count == 10 && CivilDate(parsing: text) != nil
  }

  /// The moment that a text says, in UTC unless it names a zone; `nil` if it says none.
  static func date(_ text: String) -> Date? { CivilDate(parsing: text)?.date }
}
