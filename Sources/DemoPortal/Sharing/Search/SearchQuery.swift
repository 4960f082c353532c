/// A question to the search, in the part of its language that clients use.
///
/// `field:value`, phrases in quotes, `AND`, `OR`, `NOT`, `-`, parentheses, `*` at the end of a word,
/// `[a TO b]`. Adjacent terms must all hold. What cannot be read is taken as words.
struct SearchQuery: Sendable {
  indirect enum Expression: Hashable, Sendable {
    case everything
    case term(SearchTerm)
    case not(Expression)
    case all([Expression])
    case any([Expression])
  }

  let expression: Expression

  init(_ text: String) {
    var parser = Parser(tokens: SearchLexer.tokens(of: text))
    expression = parser.any(depth: 0)
  }

  /// The relevance of `document` to the query; `nil` if it does not match.
  func score(_ document: SearchDocument) -> Int? { Self.score(expression, document) }

  private static func score(_ expression: Expression, _ document: SearchDocument) -> Int? {
    switch expression {
    case .everything: return 0
    case .term(let term): return term.score(document)
    case .not(let inner): return score(inner, document) == nil ? 0 : nil
    case .all(let parts):
      var sum = 0
      for part in parts {
        guard let score = score(part, document) else { return nil }
        sum += score
      }
      return sum
    case .any(let parts): return parts.compactMap { score($0, document) }.max()
    }
  }
}

/// Reads tokens by precedence: `OR` binds less than adjacent terms.
private struct Parser {
  private static let maximumDepth = 50

  let tokens: [SearchLexer.Token]
  var position = 0

  init(tokens: [SearchLexer.Token]) { self.tokens = tokens }

  private var next: SearchLexer.Token? {
    tokens.indices.contains(position) ? tokens[position] : nil
  }

  mutating func any(depth: Int) -> SearchQuery.Expression {
    var parts = [all(depth: depth)]
    while next == .or {
      position += 1
      parts.append(all(depth: depth))
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func all(depth: Int) -> SearchQuery.Expression {
    var parts: [SearchQuery.Expression] = []
    while let token = next, token != .or, token != .close {
      if token == .and {
        position += 1
      } else {
        parts.append(unary(depth: depth))
      }
    }
    return parts.isEmpty ? .everything : parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func unary(depth: Int) -> SearchQuery.Expression {
    guard let token = next else { return .everything }
    position += 1
    switch token {
    case .not: return .not(unary(depth: depth))
    case .term(let term): return .term(term)
    case .open where depth < Self.maximumDepth:
      let inner = any(depth: depth + 1)
      if next == .close { position += 1 }
      return inner
    case .open, .close, .and, .or: return .everything
    }
  }
}
