/// Expressions, the loosest operators first.
extension ArcadeParser {
  mutating func expression() throws(ArcadeError) -> ArcadeNode {
    try nested { parser throws(ArcadeError) in try parser.assignment() }
  }

  private mutating func assignment() throws(ArcadeError) -> ArcadeNode {
    let node = try disjunction()
    guard case .symbol(let symbol) = token.kind, Self.assignments.contains(symbol) else {
      return node
    }
    let target = try target(node)
    advance()
    let operation = ArcadeOperator(rawValue: String(symbol.dropLast()))
    return .assignment(target, operation, try expression())
  }

  private static let assignments: Set<String> = ["=", "+=", "-=", "*=", "/=", "%="]

  private func target(_ node: ArcadeNode) throws(ArcadeError) -> ArcadeTarget {
    switch node {
    case .name(let name): return .variable(name)
    case .member(let owner, let key): return .member(owner, key)
    case .field: throw .notSupported("assigning to a field")
    default: throw syntaxError()
    }
  }

  private mutating func disjunction() throws(ArcadeError) -> ArcadeNode {
    let first = try conjunction()
    guard token.kind == .symbol("||") else { return first }
    var nodes = [first]
    while skip("||") { nodes.append(try conjunction()) }
    return .any(nodes)
  }

  private mutating func conjunction() throws(ArcadeError) -> ArcadeNode {
    let first = try chain(level: 0)
    guard token.kind == .symbol("&&") else { return first }
    var nodes = [first]
    while skip("&&") { nodes.append(try chain(level: 0)) }
    return .all(nodes)
  }

  private mutating func chain(level: Int) throws(ArcadeError) -> ArcadeNode {
    guard level < ArcadeOperator.levels.count else { return try unary() }
    let first = try chain(level: level + 1)
    var rest: [(ArcadeOperator, ArcadeNode)] = []
    while case .symbol(let symbol) = token.kind {
      try refuse(symbol)
      guard ArcadeOperator.levels[level].contains(symbol),
        let operation = ArcadeOperator(rawValue: symbol)
      else { break }
      advance()
      rest.append((operation, try chain(level: level + 1)))
    }
    return rest.isEmpty ? first : .chain(first, rest)
  }

  /// Operators that Arcade lacks, or that are not evaluated here.
  private func refuse(_ symbol: String) throws(ArcadeError) {
    let refused: Set<String> = [
      "===", "!==", ">>>", "<<", ">>", "**", "??", "?.", "&", "|", "^", "?", "=>", "**=",
    ]
    if refused.contains(symbol) { throw .notSupported("the operator \(symbol)") }
  }

  private mutating func unary() throws(ArcadeError) -> ArcadeNode {
    guard case .symbol(let symbol) = token.kind else { return try postfix() }
    switch symbol {
    case "!", "-", "+":
      advance()
      let node = try nested { parser throws(ArcadeError) in try parser.unary() }
      return symbol == "!" ? .not(node) : symbol == "-" ? .negation(node) : .plus(node)
    case "++", "--":
      advance()
      let node = try nested { parser throws(ArcadeError) in try parser.unary() }
      return .step(try target(node), by: symbol == "++" ? 1 : -1, returnsOld: false)
    case "~": throw .notSupported("the operator ~")
    default: return try postfix()
    }
  }

  private mutating func postfix() throws(ArcadeError) -> ArcadeNode {
    var node = try primary()
    var links = 0
    while case .symbol(let symbol) = token.kind {
      switch symbol {
      case ".": node = try dotted(node)
      case "[": node = try indexed(node)
      case "++", "--":
        guard !token.followsNewLine else { return node }
        advance()
        return .step(try target(node), by: symbol == "++" ? 1 : -1, returnsOld: true)
      case "(": throw .notSupported("calling what is no name")
      default: return node
      }
      links += 1
      // Each member makes the tree deeper, and it is walked by recursion.
      guard links <= 16 else { throw .tooDeep }
    }
    return node
  }

  private mutating func dotted(_ owner: ArcadeNode) throws(ArcadeError) -> ArcadeNode {
    advance()
    // Behind a point keywords are names like others.
    guard case .name(let name) = token.kind else { throw syntaxError() }
    advance()
    if case .feature = owner { return field(name) }
    if case .name("textformatting") = owner {
      guard let text = ArcadeFunction.textFormatting[name.lowercased()] else {
        throw .notSupported("TextFormatting.\(name)")
      }
      return .text(text)
    }
    return .member(owner, .text(name))
  }

  private mutating func indexed(_ owner: ArcadeNode) throws(ArcadeError) -> ArcadeNode {
    advance()
    let key = try expression()
    try expect("]")
    guard case .feature = owner else { return .member(owner, key) }
    if case .text(let name) = key { return field(name) }
    names.useAllFields()
    return .member(owner, key)
  }

  private mutating func field(_ name: String) -> ArcadeNode {
    names.useField(name)
    return .field(name)
  }

  // MARK: Primaries

  private mutating func primary() throws(ArcadeError) -> ArcadeNode {
    let kind = token.kind
    switch kind {
    case .number(let number):
      advance()
      return .number(number)
    case .text(let text):
      advance()
      return .text(text)
    case .template(let parts):
      advance()
      return try template(parts)
    case .symbol("("):
      advance()
      let node = try expression()
      try expect(")")
      return node
    case .symbol("["): return .array(try list(from: "[", to: "]"))
    case .symbol("{"): return try dictionary()
    case .name(let name): return try named(name)
    case .symbol, .end: throw syntaxError()
    }
  }

  private mutating func template(
    _ parts: [ArcadeToken.Part]
  ) throws(ArcadeError) -> ArcadeNode {
    var nodes: [ArcadeNode] = []
    for part in parts {
      switch part {
      case .text(let text): nodes.append(.text(text))
      case .tokens(let tokens): nodes.append(try embedded(tokens))
      }
    }
    return .template(nodes)
  }

  private mutating func named(_ name: String) throws(ArcadeError) -> ArcadeNode {
    if name.hasPrefix("$") {
      guard name.lowercased() == "$feature" else { throw .notSupported(name) }
      advance()
      let isOwner = [".", "[", ",", ")"].contains { token.kind == .symbol($0) }
      // Its value elsewhere is unknown; calls look at it themselves.
      if !isOwner { names.useAllFields() }
      return .feature
    }
    switch name.lowercased() {
    case "true", "false":
      advance()
      return .boolean(name.lowercased() == "true")
    case "null":
      advance()
      return .null
    default: break
    }
    let name = try identifier()
    guard token.kind == .symbol("(") else {
      names.use(name, isCalled: false)
      return .name(name.lowercased())
    }
    return try call(name)
  }

  private mutating func call(_ name: String) throws(ArcadeError) -> ArcadeNode {
    names.use(name, isCalled: true)
    let arguments = try list(from: "(", to: ")")
    if case .feature? = arguments.first {
      if arguments.count == 1 { names.useAllFields() }
      let isOfFields = ArcadeFunction.namingFields.contains(name.lowercased())
      if isOfFields {
        // The other arguments are codes and defaults.
        let count = name.lowercased() == "expects" ? arguments.count : 2
        names.useFields(of: Array(arguments.prefix(count).dropFirst()))
      } else {
        names.useAllFields()
      }
    }
    return .call(name.lowercased(), arguments)
  }

  private mutating func list(
    from opening: String, to closing: String
  ) throws(ArcadeError) -> [ArcadeNode] {
    try expect(opening)
    var nodes: [ArcadeNode] = []
    guard !skip(closing) else { return nodes }
    repeat {
      // A comma may follow the last element of an array, too.
      if closing == "]", skip(closing) { return nodes }
      nodes.append(try expression())
    } while skip(",")
    try expect(closing)
    return nodes
  }

  private mutating func dictionary() throws(ArcadeError) -> ArcadeNode {
    try expect("{")
    var members: [(key: String, value: ArcadeNode)] = []
    while !skip("}") {
      let key: String
      switch token.kind {
      case .text(let text): key = text
      case .name(let name): key = name
      default: throw syntaxError()
      }
      advance()
      try expect(":")
      members.append((key, try expression()))
      guard skip(",") || token.kind == .symbol("}") else { throw syntaxError() }
    }
    return .dictionary(members)
  }
}
