public import Foundation

/// Names a job, in its journal and at the prompt.
public struct JobID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The name: letters, digits and hyphens, so that it can be a folder's name.
  public let text: String

  /// Takes over a name that a journal or a person gave; `nil` if it has other characters or none.
  public init?(_ text: String) {
    let allowed = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    guard allowed, (1...64).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// A name made of a new UUID, in lower case.
  public init(_ uuid: UUID) { text = uuid.uuidString.lowercased() }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = JobID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no name of a job")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  public var description: String { text }

  public static func < (left: JobID, right: JobID) -> Bool { left.text < right.text }
}
