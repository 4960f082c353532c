/// Names of tables as geodatabases write them.
enum TableName {
  /// A name without the qualifiers of a database and an owner: `main.Trails` is `Trails`.
  static func unqualified(_ name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return name }
    return String(name[name.index(after: dot)...])
  }

  /// A name as a key: without qualifiers and without case.
  static func key(_ name: String) -> String { unqualified(name).lowercased() }
}

extension String {
  /// Whether both are the same identifier, as SQLite compares them.
  package func isSameName(as other: String) -> Bool {
    var (own, others) = (utf8.makeIterator(), other.utf8.makeIterator())
    while true {
      let (byte, otherByte) = (own.next(), others.next())
      guard let byte, let otherByte else { return byte == otherByte }
      // Other letters than those of ASCII may have more forms than two.
      guard byte < 0x80, otherByte < 0x80 else { return lowercased() == other.lowercased() }
      guard byte.lowercasedASCII == otherByte.lowercasedASCII else { return false }
    }
  }
}

extension UInt8 {
  /// The letter in lower case, if it is one of ASCII.
  fileprivate var lowercasedASCII: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
  }
}
