/// The id of an item or a group: 32 hexadecimal digits, as one word in lower case.
///
/// Ids come from people and from servers and go into paths, so that none is taken unchecked.
public struct PortalItemID: Hashable, Sendable, CustomStringConvertible {
  /// The id as it goes into a path.
  public let text: String

  /// Reads an id, whatever the case of its letters.
  ///
  /// - Parameter text: What a person typed or a server wrote; blanks around it are left out.
  /// - Throws: ``PortalError/invalidID(_:)`` for anything else.
  public init(_ text: String) throws(PortalError) {
    let id = text.lowercased().filter { !$0.isWhitespace }
    guard id.utf8.count == 32, id.utf8.allSatisfy(\.isHexadecimalDigit) else {
      throw .invalidID(String(text.prefix(100)))
    }
    self.text = id
  }

  public var description: String { text }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}
