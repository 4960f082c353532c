/// A word or sign of the SQL that plain views are written in.
enum SQLToken: Hashable {
  /// A name or a keyword, which only what is not quoted can be.
  case name(String, isQuoted: Bool)
  case symbol(Character)

  /// Whether this is a keyword.
  func isWord(_ word: String) -> Bool {
    if case .name(let name, false) = self { name.uppercased() == word } else { false }
  }

  /// The tokens of a statement; `nil` if it has anything but names, commas, dots, brackets,
  /// equals signs and semicolons.
  static func tokens(of sql: String) -> [SQLToken]? {
    var tokens: [SQLToken] = []
    var rest = Substring(sql)
    while let character = rest.first {
      if character.isWhitespace {
        rest.removeFirst()
      } else if ",.()=;".contains(character) {
        tokens.append(.symbol(character))
        rest.removeFirst()
      } else if let end = closing[character] {
        guard let name = quoted(&rest, until: end) else { return nil }
        tokens.append(.name(name, isQuoted: true))
      } else {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        guard !word.isEmpty, character.isLetter || character == "_" else { return nil }
        tokens.append(.name(String(word), isQuoted: false))
        rest.removeFirst(word.count)
      }
    }
    return tokens
  }

  private static let closing: [Character: Character] = ["\"": "\"", "`": "`", "[": "]"]

  /// A quoted name; one that holds its own quote is not expected of a tile view.
  private static func quoted(_ rest: inout Substring, until end: Character) -> String? {
    rest.removeFirst()
    let name = rest.prefix { $0 != end }
    rest.removeFirst(name.count)
    guard rest.popFirst() != nil, rest.first != end else { return nil }
    return String(name)
  }
}
