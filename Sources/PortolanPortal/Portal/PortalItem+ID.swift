internal import Foundation

extension PortalItem {
  /// The id of an item or a group, safe to use as part of an address or of a file's path.
  ///
  /// Portals give ids of 32 hexadecimal digits; letters, digits, hyphens and underscores are allowed
  /// so that no real portal is refused, and at least one letter or digit is needed. Ids come from people and from servers, and no other text
  /// becomes one: a dot or a slash could lead out of a folder.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The longest id that is accepted.
    private static let maxLength = 64

    /// The id as it is sent and stored.
    public let text: String

    /// Reads an id; white space around it is ignored, and hexadecimal ids are in lower case.
    ///
    /// - Parameter text: What a person typed or a server wrote.
    /// - Throws: ``PortalError/invalidID(_:)`` for a text that cannot be an id.
    public init(_ text: String) throws(PortalError) {
      let id = text.trimmingCharacters(in: .whitespacesAndNewlines)
      guard id.utf8.count <= Self.maxLength, id.utf8.allSatisfy(\.isAllowedInID),
        id.contains(where: { $0 != "-" && $0 != "_" })
      else {
        throw .invalidID(String(text.prefix(100)))
      }
      let isHexadecimal = id.utf8.count == 32 && id.allSatisfy(\.isHexDigit)
      self.text = isHexadecimal ? id.lowercased() : id
    }

    public var description: String { text }
  }
}

extension UInt8 {
  fileprivate var isAllowedInID: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
