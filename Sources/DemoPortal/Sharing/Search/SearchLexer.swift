/// Takes the text of a question apart.
struct SearchLexer {
  enum Token: Hashable, Sendable {
    case open
    case close
    case and
    case or
    case not
    case term(SearchTerm)
  }

  private var rest: Substring

  static func tokens(of text: String) -> [Token] {
    var lexer = SearchLexer(rest: text[...])
    var tokens: [Token] = []
    while let token = lexer.token() { tokens.append(token) }
    return tokens
  }

  private mutating func token() -> Token? {
    rest = rest.drop { $0.isWhitespace || $0 == "+" }
    guard let first = rest.first else { return nil }
    switch first {
    case "(":
      rest.removeFirst()
      return .open
    case ")":
      rest.removeFirst()
      return .close
    case "-":
      rest.removeFirst()
      return .not
    case "\"": return .term(SearchTerm(field: nil, .phrase(quoted())))
    default: return word()
    }
  }

  /// A word, an operator, or a field with its value.
  private mutating func word() -> Token {
    let word = rest.prefix { !$0.isWhitespace && !"():\"".contains($0) }
    rest = rest.dropFirst(word.count)
    guard rest.first == ":" else {
      switch word {
      case "AND", "&&": return .and
      case "OR", "||": return .or
      case "NOT", "!": return .not
      default: return .term(SearchTerm(field: nil, SearchTerm.Value(word: word)))
      }
    }
    rest.removeFirst()
    let value = value()
    return word.isEmpty ? .and : .term(SearchTerm(field: word.lowercased(), value))
  }

  private mutating func value() -> SearchTerm.Value {
    rest = rest.drop(while: \.isWhitespace)
    switch rest.first {
    case "\"": return .phrase(quoted())
    case "[", "{": return range()
    case "(":
      rest.removeFirst()
      return .anyOf(alternatives())
    default:
      let word = rest.prefix { !$0.isWhitespace && !"()".contains($0) }
      rest = rest.dropFirst(word.count)
      return SearchTerm.Value(word: word)
    }
  }

  /// The words and phrases up to the closing parenthesis.
  private mutating func alternatives() -> [String] {
    var alternatives: [String] = []
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first, first != ")" else { break }
      if first == "\"" {
        alternatives.append(quoted())
      } else {
        let word = rest.prefix { !$0.isWhitespace && $0 != ")" }
        rest = rest.dropFirst(word.count)
        if word != "OR" { alternatives.append(String(word)) }
      }
    }
    rest = rest.dropFirst()
    return alternatives
  }

  private mutating func quoted() -> String {
    let text = rest.dropFirst().prefix { $0 != "\"" }
    rest = rest.dropFirst(text.count + 2)
    dropBoost()
    return String(text)
  }

  private mutating func range() -> SearchTerm.Value {
    let text = rest.dropFirst().prefix { $0 != "]" && $0 != "}" }
    rest = rest.dropFirst(text.count + 2)
    let words = text.split(separator: " ")
    guard words.count == 3, words[1] == "TO" else { return .phrase(String(text)) }
    return .range(Int64(words[0]) ?? .min, Int64(words[2]) ?? .max)
  }

  private mutating func dropBoost() {
    guard rest.first == "^" else { return }
    rest = rest.dropFirst().drop { $0.isNumber || $0 == "." }
  }
}
