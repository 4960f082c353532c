/// Reads statements of Arcade by recursive descent.
struct ArcadeParser {
  /// Statements and expressions may not be nested deeper.
  private static let maximumDepth = 64
  /// Loop variables and operators make trees; longer ones are not labels.
  private static let maximumNodes = 20_000

  private let tokens: [ArcadeToken]
  private let lexer: ArcadeLexer
  private var position = 0
  private var depth = 0
  private var nodes = 0
  var names = ArcadeNames()

  init(_ tokens: [ArcadeToken], _ lexer: ArcadeLexer) {
    self.tokens = tokens
    self.lexer = lexer
  }

  /// All statements; an expression without any is none.
  mutating func program() throws(ArcadeError) -> [ArcadeStatement] {
    var statements: [ArcadeStatement] = []
    while token.kind != .end { statements.append(try statement()) }
    guard !statements.isEmpty else { throw syntaxError() }
    try names.check()
    return statements
  }

  /// The tokens in `${}` as one expression.
  mutating func embedded(_ inner: [ArcadeToken]) throws(ArcadeError) -> ArcadeNode {
    var parser = ArcadeParser(inner, lexer)
    (parser.depth, parser.nodes, parser.names) = (depth, nodes, names)
    let node = try parser.nested { parser throws(ArcadeError) in try parser.expression() }
    guard parser.token.kind == .end else { throw parser.syntaxError() }
    (nodes, names) = (parser.nodes, parser.names)
    return node
  }

  // MARK: Tokens

  var token: ArcadeToken { tokens[position] }

  /// The token after this one.
  var following: ArcadeToken { tokens[min(position + 1, tokens.count - 1)] }

  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  mutating func skip(_ symbol: String) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String) throws(ArcadeError) {
    guard skip(symbol) else { throw syntaxError() }
  }

  /// A name that is no keyword.
  mutating func identifier() throws(ArcadeError) -> String {
    guard case .name(let name) = token.kind, !Self.keywords.contains(name.lowercased()),
      !name.hasPrefix("$")
    else { throw syntaxError() }
    advance()
    return name
  }

  private mutating func skipKeyword(_ keyword: String) -> Bool {
    guard isAt(keyword) else { return false }
    advance()
    return true
  }

  private func isAt(_ keyword: String) -> Bool {
    if case .name(let name) = token.kind { name.lowercased() == keyword } else { false }
  }

  static let keywords: Set<String> = [
    "var", "if", "else", "for", "while", "break", "continue", "return", "function", "true",
    "false", "null", "in", "import", "export",
  ]

  func syntaxError() -> ArcadeError { lexer.syntaxError(at: token.offset) }

  /// Bounds how deeply what `read` reads is nested, and how much is read in all.
  mutating func nested<Part>(
    _ read: (inout ArcadeParser) throws(ArcadeError) -> Part
  ) throws(ArcadeError) -> Part {
    depth += 1
    nodes += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth, nodes <= Self.maximumNodes else { throw .tooDeep }
    return try read(&self)
  }

  // MARK: Statements

  private mutating func statement() throws(ArcadeError) -> ArcadeStatement {
    try nested { parser throws(ArcadeError) in try parser.bareStatement() }
  }

  private mutating func bareStatement() throws(ArcadeError) -> ArcadeStatement {
    if skip(";") { return .block([]) }
    if token.kind == .symbol("{") { return try block() }
    guard case .name(let name) = token.kind else { return try expressionStatement() }
    switch name.lowercased() {
    case "var": return try variables(ends: true)
    case "if": return try branch()
    case "for": return try loop()
    case "while": return try whileLoop()
    case "return": return try result()
    case "function": return try function()
    case "break", "continue":
      advance()
      try end()
      return name.lowercased() == "break" ? .leave : .next
    case "import", "export", "do", "switch", "try": throw .notSupported("\"\(name)\"")
    default: return try expressionStatement()
    }
  }

  private mutating func expressionStatement() throws(ArcadeError) -> ArcadeStatement {
    let node = try expression()
    try end()
    return .expression(node)
  }

  /// A semicolon, or what may stand for one: a brace, a new line, the end.
  private mutating func end() throws(ArcadeError) {
    if skip(";") { return }
    let isEnd = token.kind == .end || token.kind == .symbol("}") || token.followsNewLine
    guard isEnd else { throw syntaxError() }
  }

  private mutating func block() throws(ArcadeError) -> ArcadeStatement {
    try expect("{")
    var statements: [ArcadeStatement] = []
    while !skip("}") {
      guard token.kind != .end else { throw syntaxError() }
      statements.append(try statement())
    }
    return .block(statements)
  }

  private mutating func variables(ends: Bool) throws(ArcadeError) -> ArcadeStatement {
    advance()
    var variables: [(name: String, value: ArcadeNode?)] = []
    repeat {
      let name = try identifier()
      names.declare(name)
      let value = try skip("=") ? expression() : nil
      variables.append((name.lowercased(), value))
    } while skip(",")
    if ends { try end() }
    return .variables(variables)
  }

  private mutating func condition() throws(ArcadeError) -> ArcadeNode {
    try expect("(")
    let condition = try expression()
    try expect(")")
    return condition
  }

  private mutating func branch() throws(ArcadeError) -> ArcadeStatement {
    var branches: [(condition: ArcadeNode, body: ArcadeStatement)] = []
    repeat {
      advance()
      branches.append((try condition(), try statement()))
      guard skipKeyword("else") else { return .branch(branches, otherwise: nil) }
    } while isAt("if")
    return .branch(branches, otherwise: try statement())
  }

  private mutating func whileLoop() throws(ArcadeError) -> ArcadeStatement {
    advance()
    let condition = try condition()
    return .loop(first: nil, condition: condition, step: nil, body: try statement())
  }

  private mutating func loop() throws(ArcadeError) -> ArcadeStatement {
    advance()
    try expect("(")
    if let loop = try forEach() { return loop }
    var first: ArcadeStatement?
    if isAt("var") {
      first = try variables(ends: false)
    } else if token.kind != .symbol(";") {
      first = .expression(try expression())
    }
    try expect(";")
    let condition = try token.kind == .symbol(";") ? nil : expression()
    try expect(";")
    let step = try token.kind == .symbol(")") ? nil : expression()
    try expect(")")
    return .loop(first: first, condition: condition, step: step, body: try statement())
  }

  /// `var name in list)` and its body; `nil` if a loop of the other kind is here.
  private mutating func forEach() throws(ArcadeError) -> ArcadeStatement? {
    let start = position
    let isDeclared = skipKeyword("var")
    guard case .name(let name) = token.kind, !Self.keywords.contains(name.lowercased()),
      case .name(let word) = following.kind, ["in", "of"].contains(word.lowercased())
    else {
      position = start
      return nil
    }
    advance()
    advance()
    if isDeclared { names.declare(name) } else { names.use(name, isCalled: false) }
    let list = try expression()
    if case .feature = list { names.useAllFields() }
    try expect(")")
    return .forEach(
      name: name.lowercased(), list: list, goesThroughValues: word.lowercased() == "of",
      body: try statement())
  }

  private mutating func result() throws(ArcadeError) -> ArcadeStatement {
    advance()
    let isBare =
      token.kind == .end || token.kind == .symbol(";") || token.kind == .symbol("}")
      || token.followsNewLine
    let value = try isBare ? nil : expression()
    try end()
    return .result(value)
  }

  private mutating func function() throws(ArcadeError) -> ArcadeStatement {
    advance()
    let name = try identifier()
    try expect("(")
    var parameters: [String] = []
    if !skip(")") {
      repeat {
        let parameter = try identifier()
        names.declare(parameter)
        parameters.append(parameter.lowercased())
      } while skip(",")
      try expect(")")
    }
    names.declare(ArcadeRoutine(parameters: parameters, body: try block()), named: name)
    return .declaration
  }
}
