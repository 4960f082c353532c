/// A word or sign of the statement that made a table.
enum DeclarationToken: Hashable {
  /// A name, a keyword or a number; a quoted one is no keyword.
  case word(String, isQuoted: Bool)
  case symbol(Character)

  /// The name, if it is one.
  var name: String? {
    if case .word(let name, _) = self { name } else { nil }
  }

  /// Whether it is a name.
  var isName: Bool { name != nil }

  /// Whether it is a name in quotes.
  var isQuoted: Bool {
    if case .word(_, true) = self { true } else { false }
  }

  /// Whether this is a keyword, given in small letters.
  func isWord(_ word: String) -> Bool {
    if case .word(let text, false) = self { text.lowercased() == word } else { false }
  }

  /// The longest statement that is looked at.
  private static let longest = 1 << 16

  /// The tokens of a statement, without semicolons at its end.
  ///
  /// - Throws: ``PageError/unusual`` for comments and for quotes that do not end.
  static func tokens(of sql: String) throws(PageError) -> [DeclarationToken] {
    guard sql.utf8.count <= longest else { throw .unusual }
    var tokens: [DeclarationToken] = []
    var rest = Substring(sql).utf8
    while let byte = rest.first {
      if let end = closing[byte] {
        tokens.append(.word(try quoted(&rest, until: end), isQuoted: true))
      } else if isPart(byte) {
        let word = rest.prefix(while: isPart)
        tokens.append(.word(String(decoding: word, as: UTF8.self), isQuoted: false))
        rest = rest.dropFirst(word.count)
      } else {
        rest.removeFirst()
        guard !blanks.contains(byte) else { continue }
        // Two of the first, or the second and a star, begin a comment.
        guard byte != UInt8(ascii: "-") || rest.first != byte,
          byte != UInt8(ascii: "/") || rest.first != UInt8(ascii: "*")
        else { throw .unusual }
        tokens.append(.symbol(Character(Unicode.Scalar(byte))))
      }
    }
    while tokens.last == .symbol(";") { tokens.removeLast() }
    return tokens
  }

  private static let blanks = Set(" \t\n\r\u{0C}".utf8)

  private static let closing: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "`"),
    UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "["): UInt8(ascii: "]"),
  ]

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// What is in quotes, in which two stand for one.
  private static func quoted(
    _ rest: inout Substring.UTF8View, until end: UInt8
  ) throws(PageError) -> String {
    rest.removeFirst()
    var name: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == end else {
        name.append(byte)
        continue
      }
      guard end != UInt8(ascii: "]"), rest.first == end else {
        return String(decoding: name, as: UTF8.self)
      }
      name.append(end)
      rest.removeFirst()
    }
    throw .unusual
  }
}
