internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanProtobuf

internal import struct Foundation.Date

/// Reads the value of a field from a message.
enum PBFValueReader {
  static func value(
    _ message: PBFCursor, as type: FieldType
  ) throws(PBFError) -> AttributeValue {
    var message = message
    var value = AttributeValue.null
    while !message.isAtEnd {
      let tag = try message.tag()
      switch (tag.field, tag.type) {
      case (1, .lengthDelimited): value = text(try message.string(), as: type)
      case (2, .fixed32):
        value = number(Double(Float(bitPattern: try message.fixed32())), as: type)
      case (3, .fixed64): value = number(try message.double(), as: type)
      case (4, .varint), (8, .varint): value = whole(try message.zigzag(), as: type)
      case (5, .varint), (6, .varint):
        value = whole(Int64(bitPattern: try message.varint()), as: type)
      case (7, .varint): value = unsigned(try message.varint(), as: type)
      case (9, .varint):
        value = AttributeValue(json: .bool(try message.varint() != 0), as: type)
      default: try message.skip(tag.type)
      }
    }
    return value
  }

  private static func text(_ text: String, as type: FieldType) -> AttributeValue {
    switch type {
    case .string, .xml, .dateOnly, .timeOnly, .timestampOffset: .text(text)
    case .guid, .globalID: .text(text.withGUIDBraces)
    default: AttributeValue(json: .string(text), as: type)
    }
  }

  private static func whole(_ number: Int64, as type: FieldType) -> AttributeValue {
    switch type {
    case .objectID, .smallInteger, .integer, .bigInteger: .integer(number)
    case .single, .double: .double(Double(number))
    case .date: .date(Date(timeIntervalSince1970: Double(number) / 1000))
    default: AttributeValue(json: .integer(number), as: type)
    }
  }

  private static func unsigned(_ number: UInt64, as type: FieldType) -> AttributeValue {
    if let whole = Int64(exactly: number) { return self.whole(whole, as: type) }
    return AttributeValue(json: .number(Double(number)), as: type)
  }

  private static func number(_ number: Double, as type: FieldType) -> AttributeValue {
    // NaN and infinity count as no value, as in JSON, which cannot express them.
    guard number.isFinite else { return .null }
    return type == .double || type == .single
      ? .double(number) : AttributeValue(json: .number(number), as: type)
  }
}
