extension WhereParser {
  /// The most branches of one `CASE`.
  private static let maximumBranches = 200

  /// Whether the current word begins a `CASE`; else it is a field of that name.
  var beginsCases: Bool {
    switch following.kind {
    case .sign(let sign): ["(", "-", "+"].contains(sign)
    case .word(let word): !Self.wordsAfterField.contains(word.uppercased())
    case .name, .text, .number: true
    case .end: false
    }
  }

  private static let wordsAfterField: Set<String> = [
    "IS", "IN", "LIKE", "BETWEEN", "NOT", "AND", "OR", "FROM", "AS", "ESCAPE", "THEN", "ELSE",
    "END",
  ]

  /// `CASE WHEN condition THEN value … ELSE value END`, or `CASE value WHEN value THEN …`.
  mutating func cases() throws(FeatureStoreError) -> Node {
    guard !isInOperand else { throw failure("CASE cannot stand between another CASE and its WHEN") }
    let offset = current.offset
    advance()
    let operand = current.isWord("WHEN") ? nil : try operand()
    var branches: [WhereExpression.Branch] = []
    var parts: [Node] = []
    while skip(word: "WHEN") {
      guard branches.count < Self.maximumBranches else {
        throw failure("CASE has more than \(Self.maximumBranches) branches")
      }
      let condition = try condition(of: operand)
      try expect(word: "THEN")
      let value = try expression(.concatenation)
      branches.append(WhereExpression.Branch(when: condition.expression, then: value.expression))
      parts += [condition, value]
    }
    guard !branches.isEmpty else {
      throw failure("WHEN is missing before \(current.description)")
    }
    let otherwise = skip(word: "ELSE") ? try expression(.concatenation) : nil
    try expect(word: "END")
    return try node(
      .cases(branches, otherwise: otherwise?.expression), at: offset,
      over: parts + (otherwise.map { [$0] } ?? []))
  }

  /// What each value after `WHEN` is compared with.
  ///
  /// It is written out for each of them, so that one with a `CASE` in it could grow without bounds.
  private mutating func operand() throws(FeatureStoreError) -> Node {
    isInOperand = true
    defer { isInOperand = false }
    return try expression(.concatenation)
  }

  /// What follows `WHEN`: a condition, or the value that the operand is compared with.
  private mutating func condition(of operand: Node?) throws(FeatureStoreError) -> Node {
    guard let operand else { return try expression(.or) }
    let offset = current.offset
    let value = try expression(.concatenation)
    return try node(
      .comparison(.equal, operand.expression, value.expression), at: offset,
      over: [operand, value])
  }
}
