/// A word, sign or literal of a where clause.
struct WhereToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A bare word: a keyword, a function or a field.
    case word(String)
    /// A name in double quotes or brackets.
    case name(String)
    case text(String)
    case number(AttributeValue)
    case sign(String)
    case end
  }

  var kind: Kind
  /// In characters from the start of the clause.
  var offset: Int

  /// Whether this is text or a number.
  var isLiteral: Bool {
    switch kind {
    case .text, .number: true
    default: false
    }
  }
}

/// Cuts a where clause into tokens.
struct WhereLexer {
  private let characters: [Character]
  private var position = 0

  private init(_ text: String) { characters = Array(text) }

  /// The tokens; the last one, and only that, is the end.
  static func tokens(of text: String) throws(FeatureStoreError) -> [WhereToken] {
    var lexer = WhereLexer(text)
    var tokens: [WhereToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private var following: Character? {
    position + 1 < characters.count ? characters[position + 1] : nil
  }

  private mutating func next() throws(FeatureStoreError) -> WhereToken {
    while current?.isWhitespace == true { position += 1 }
    let start = position
    return WhereToken(kind: try kind(from: start), offset: start)
  }

  private mutating func kind(from start: Int) throws(FeatureStoreError) -> WhereToken.Kind {
    guard let character = current else { return .end }
    switch character {
    case "'": return .text(try quoted(until: "'", what: "text"))
    case "\"", "[": return .name(try name())
    case "N" where following == "'", "n" where following == "'":
      position += 1
      return .text(try quoted(until: "'", what: "text"))
    case "0"..."9": return .number(try number(from: start))
    case "." where following?.isDigit == true: return .number(try number(from: start))
    default: break
    }
    guard character.startsWord else { return .sign(try sign(character)) }
    let word = word()
    guard word.last == ".", current?.startsQuotedName == true else { return .word(word) }
    return .name(try name(after: word))
  }

  private mutating func quoted(
    until end: Character, what: String
  ) throws(FeatureStoreError) -> String {
    let start = position
    var text = ""
    position += 1
    while let character = current {
      position += 1
      guard character == end else {
        text.append(character)
        continue
      }
      guard current == end else { return text }
      text.append(end)
      position += 1
    }
    throw .badWhereClause(reason: "the \(what) that begins here has no end", offset: start)
  }

  /// A name in quotes, or one qualified by others: `main."ROADS".NAME`.
  private mutating func name(after qualifier: String = "") throws(FeatureStoreError) -> String {
    var name = qualifier
    while let character = current {
      if character.startsQuotedName {
        name += try quoted(until: character == "[" ? "]" : character, what: "name")
      } else {
        name += word()
      }
      guard current == ".", following?.startsWord == true || following?.startsQuotedName == true
      else { break }
      position += 1
      name += "."
    }
    return name
  }

  private mutating func word() -> String {
    let start = position
    while current?.continuesWord == true { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func number(from start: Int) throws(FeatureStoreError) -> AttributeValue {
    skipDigits()
    if current == "." {
      position += 1
      skipDigits()
    }
    if current == "e" || current == "E" {
      position += 1
      if current == "+" || current == "-" { position += 1 }
      skipDigits()
    }
    let text = String(characters[start..<position])
    guard current?.continuesWord != true, let value = SQLNumber.parse(text) else {
      throw .badWhereClause(reason: "\"\(text)\(word())\" is no number", offset: start)
    }
    return value
  }

  private mutating func skipDigits() {
    while current?.isDigit == true { position += 1 }
  }

  private mutating func sign(_ character: Character) throws(FeatureStoreError) -> String {
    if let following, ["<=", ">=", "<>", "!=", "||"].contains(String([character, following])) {
      position += 2
      return character == "!" ? "<>" : String([character, following])
    }
    guard "()=<>+-*/,".contains(character) else {
      throw .badWhereClause(reason: "\"\(character)\" has no meaning here", offset: position)
    }
    position += 1
    return String(character)
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  fileprivate var startsWord: Bool { isLetter || self == "_" }

  fileprivate var startsQuotedName: Bool { self == "\"" || self == "[" }

  fileprivate var continuesWord: Bool {
    startsWord || isDigit || self == "." || self == "$" || self == "#" || self == "@"
  }
}
