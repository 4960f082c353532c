/// A word or sign of the statement that made a table.
enum DeclarationToken: Hashable {
  /// A name, a keyword or a number; a quoted one is no keyword.
  case word(String, isQuoted: Bool)
  case symbol(Unicode.Scalar)

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
    guard case .word(let text, false) = self, text.utf8.count == word.utf8.count else {
      return false
    }
    return zip(text.utf8, word.utf8).allSatisfy { $0.asLowerCase == $1 }
  }

  /// The longest statement that is looked at.
  private static let longest = 1 << 16

  /// The tokens of a statement, without semicolons at its end.
  ///
  /// What stands in brackets behind a column or a constraint is left out but for the columns of a
  /// key: checks and defaults say nothing of how rows are stored, and are long.
  ///
  /// - Throws: ``PageError/unusual`` for comments and for quotes that do not end.
  static func tokens(of sql: String) throws(PageError) -> [DeclarationToken] {
    guard sql.utf8.count <= longest else { throw .unusual }
    var tokens: [DeclarationToken] = []
    var rest = Array(sql.utf8)[...]
    var depth = 0
    while let byte = rest.first {
      if let end = closing(byte) {
        tokens.append(.word(try quoted(&rest, until: end), isQuoted: true))
      } else if isPart(byte) {
        let word = rest.prefix(while: isPart)
        tokens.append(.word(String(decoding: word, as: UTF8.self), isQuoted: false))
        rest = rest.dropFirst(word.count)
      } else {
        rest.removeFirst()
        guard !isBlank(byte) else { continue }
        guard !isComment(byte, rest.first) else { throw .unusual }
        let isKey = tokens.last?.isWord("key") == true
        tokens.append(.symbol(Unicode.Scalar(byte)))
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        guard byte == UInt8(ascii: "("), depth == 2, !isKey else { continue }
        try skipBrackets(&rest)
        tokens.append(.symbol(")"))
        depth = 1
      }
    }
    while tokens.last == .symbol(";") { tokens.removeLast() }
    return tokens
  }

  /// Whether a comment begins: two of the first, or the second and a star.
  private static func isComment(_ byte: UInt8, _ next: UInt8?) -> Bool {
    byte == UInt8(ascii: "-") && next == byte
      || byte == UInt8(ascii: "/") && next == UInt8(ascii: "*")
  }

  /// Goes on behind the end of brackets that are open.
  private static func skipBrackets(_ rest: inout ArraySlice<UInt8>) throws(PageError) {
    var depth = 1
    while depth > 0 {
      guard let byte = rest.first else { throw .unusual }
      if let end = closing(byte) {
        _ = try quoted(&rest, until: end)
        continue
      }
      rest.removeFirst()
      guard !isComment(byte, rest.first) else { throw .unusual }
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0C: true
    default: false
    }
  }

  /// What ends what a quotation mark begins.
  private static func closing(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "'"): byte
    case UInt8(ascii: "["): UInt8(ascii: "]")
    default: nil
    }
  }

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
    _ rest: inout ArraySlice<UInt8>, until end: UInt8
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
