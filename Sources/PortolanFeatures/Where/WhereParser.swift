/// Parses the tokens of a where clause by the strength with which operators bind.
///
/// From weak to strong: `OR`, `AND`, `NOT`, comparisons, `||`, `+ -`, `* /`, the sign.
///
/// - SeeAlso: [Pratt parsing](https://tdop.github.io)
struct WhereParser {
  /// An expression and how deep its tree is, which ``maximumDepth`` bounds.
  struct Node {
    var expression: WhereExpression
    var depth: Int
  }

  /// The strengths of operators.
  enum Strength: Int, Comparable {
    case or
    case and
    case not
    case comparison
    case concatenation
    case addition
    case multiplication
    case sign

    static func < (left: Strength, right: Strength) -> Bool { left.rawValue < right.rawValue }
  }

  /// How deep a tree may be.
  ///
  /// SQLite's own parser holds a hundred tokens, of which a level takes up to five.
  static let maximumDepth = 12

  /// How many expressions may be open at once; a pair of brackets opens up to eight.
  private static let maximumNesting = 800

  /// How many of `+ - * /` may follow each other.
  private static let maximumChain = 100

  private let tokens: [WhereToken]
  private var position = 0
  private var nesting = 0
  /// Whether the parser is between `CASE` and its first `WHEN`.
  var isInOperand = false

  private init(_ tokens: [WhereToken]) { self.tokens = tokens }

  /// The expression that all of the tokens make up.
  static func parse(_ tokens: [WhereToken]) throws(FeatureStoreError) -> WhereExpression {
    var parser = WhereParser(tokens)
    let node = try parser.expression(.or)
    guard parser.current.kind == .end else {
      throw parser.failure("\(parser.current.description) is not expected here")
    }
    return node.expression
  }

  // MARK: Tokens

  var current: WhereToken { tokens[position] }

  /// The token after the current one; the end follows itself.
  var following: WhereToken { tokens[min(position + 1, tokens.count - 1)] }

  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  /// Passes the keyword, if it is the current token.
  mutating func skip(word: String) -> Bool {
    guard current.isWord(word) else { return false }
    advance()
    return true
  }

  /// Passes the sign, if it is the current token.
  mutating func skip(_ sign: String) -> Bool {
    guard current.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String) throws(FeatureStoreError) {
    guard skip(sign) else { throw failure("\"\(sign)\" is missing before \(current.description)") }
  }

  mutating func expect(word: String) throws(FeatureStoreError) {
    guard skip(word: word) else {
      throw failure("\(word) is missing before \(current.description)")
    }
  }

  func failure(_ reason: String) -> FeatureStoreError {
    .badWhereClause(reason: reason, offset: current.offset)
  }

  // MARK: Trees

  /// A node over others, at the place of the operator or function.
  func node(
    _ kind: WhereExpression.Kind, at offset: Int, over parts: [Node]
  ) throws(FeatureStoreError) -> Node {
    let depth = (parts.map(\.depth).max() ?? 0) + 1
    guard depth <= Self.maximumDepth else {
      throw .badWhereClause(
        reason: "it is nested deeper than \(Self.maximumDepth) levels", offset: offset)
    }
    return Node(expression: WhereExpression(kind, offset: offset), depth: depth)
  }

  /// An expression whose operators bind at least as strongly as `strength`.
  mutating func expression(_ strength: Strength) throws(FeatureStoreError) -> Node {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumNesting else {
      throw failure("too many brackets, signs or NOT stand inside each other")
    }
    switch strength {
    case .or: return try chain("OR", of: .and) { .or($0) }
    case .and: return try chain("AND", of: .not) { .and($0) }
    case .not: return try negatable()
    case .comparison: return try comparison()
    case .concatenation: return try concatenation()
    case .addition: return try arithmetic(["+": .add, "-": .subtract], of: .multiplication)
    case .multiplication: return try arithmetic(["*": .multiply, "/": .divide], of: .sign)
    case .sign: return try signed()
    }
  }

  private mutating func chain(
    _ word: String, of strength: Strength, _ kind: ([WhereExpression]) -> WhereExpression.Kind
  ) throws(FeatureStoreError) -> Node {
    var parts = [try expression(strength)]
    let offset = current.offset
    while skip(word: word) { parts.append(try expression(strength)) }
    guard parts.count > 1 else { return parts[0] }
    return try node(kind(parts.map(\.expression)), at: offset, over: parts)
  }

  private mutating func negatable() throws(FeatureStoreError) -> Node {
    let offset = current.offset
    guard skip(word: "NOT") else { return try expression(.comparison) }
    let part = try expression(.not)
    return try node(.not(part.expression), at: offset, over: [part])
  }

  private mutating func concatenation() throws(FeatureStoreError) -> Node {
    var parts = [try expression(.addition)]
    let offset = current.offset
    while skip("||") { parts.append(try expression(.addition)) }
    guard parts.count > 1 else { return parts[0] }
    return try node(.concatenation(parts.map(\.expression)), at: offset, over: parts)
  }

  /// Operators that are worked out from left to right; the left side costs no depth, since SQL
  /// writes it without brackets.
  private mutating func arithmetic(
    _ operators: [String: WhereExpression.ArithmeticOperator], of strength: Strength
  ) throws(FeatureStoreError) -> Node {
    var left = try expression(strength)
    var count = 0
    while case .sign(let sign) = current.kind, let operation = operators[sign] {
      count += 1
      guard count <= Self.maximumChain else {
        throw failure("more than \(Self.maximumChain) operators follow each other")
      }
      let offset = current.offset
      advance()
      let right = try expression(strength)
      let depth = left.depth
      left = try node(
        .arithmetic(operation, left.expression, right.expression), at: offset, over: [right])
      left.depth = max(left.depth, depth)
    }
    return left
  }

  private mutating func signed() throws(FeatureStoreError) -> Node {
    let offset = current.offset
    if skip("+") { return try expression(.sign) }
    guard skip("-") else { return try primary() }
    let part = try expression(.sign)
    if case .literal(let value) = part.expression.kind, let negated = SQLNumber.negated(value) {
      return Node(expression: WhereExpression(.literal(negated), offset: offset), depth: 1)
    }
    return try node(.negation(part.expression), at: offset, over: [part])
  }
}

extension WhereToken {
  /// Whether this is the keyword, in any case.
  func isWord(_ word: String) -> Bool {
    guard case .word(let text) = kind else { return false }
    return text.uppercased() == word
  }

  /// The token as a reason names it.
  var description: String {
    switch kind {
    case .word(let word): "\"\(word)\""
    case .name(let name): "the name \"\(name)\""
    case .text(let text): "the text '\(text)'"
    case .number: "this number"
    case .sign(let sign): "\"\(sign)\""
    case .end: "the end"
    }
  }
}
