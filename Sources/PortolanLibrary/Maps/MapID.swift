public import Foundation

/// Names a map that is stored on this device; also the name of its folder.
public struct MapID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Letters, digits and hyphens, at most 64.
  public let text: String

  /// Takes over an id, such as that of a portal item; `nil` if it has other characters or none.
  public init?(_ text: String) {
    let allowed = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    guard allowed, (1...64).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// An id made of a new UUID, in lower case.
  public init(_ uuid: UUID) { text = uuid.uuidString.lowercased() }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = MapID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no id of a map")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  public var description: String { text }
}
