/// A name that is safe as that of a folder, wherever it came from: letters, digits and hyphens, at
/// most 64.
public protocol FolderName: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name.
  var text: String { get }

  /// Takes over a name; `nil` if it has other characters, none or too many.
  init?(_ text: String)
}

extension FolderName {
  /// Whether a text can be the name of a folder.
  public static func allows(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let name = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "no name of a folder")
    }
    self = name
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  public var description: String { text }
}
