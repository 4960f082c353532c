extension WhereParser {
  /// A value, or what is said of one.
  mutating func comparison() throws(FeatureStoreError) -> Node {
    let left = try expression(.concatenation)
    let offset = current.offset
    if case .sign(let sign) = current.kind,
      let operation = WhereExpression.ComparisonOperator(rawValue: sign)
    {
      advance()
      let right = try expression(.concatenation)
      let node = try node(
        .comparison(operation, left.expression, right.expression), at: offset, over: [left, right])
      return try unchained(node)
    }
    if skip(word: "IS") { return try isNull(left, at: offset) }
    let isNegated = skip(word: "NOT")
    guard let node = try predicate(of: left, at: offset) else {
      if isNegated { throw failure("IN, LIKE or BETWEEN is missing after NOT") }
      return left
    }
    return try unchained(isNegated ? negated(node) : node)
  }

  private func negated(_ node: Node) throws(FeatureStoreError) -> Node {
    try self.node(.not(node.expression), at: node.expression.offset, over: [node])
  }

  private func unchained(_ node: Node) throws(FeatureStoreError) -> Node {
    if case .sign(let sign) = current.kind,
      WhereExpression.ComparisonOperator(rawValue: sign) != nil
    {
      throw failure("comparisons cannot follow each other; join them with AND")
    }
    return node
  }

  private mutating func isNull(_ left: Node, at offset: Int) throws(FeatureStoreError) -> Node {
    let isNegated = skip(word: "NOT")
    try expect(word: "NULL")
    let node = try node(.isNull(left.expression), at: offset, over: [left])
    return isNegated ? try negated(node) : node
  }

  private mutating func predicate(
    of left: Node, at offset: Int
  ) throws(FeatureStoreError) -> Node? {
    if skip(word: "IN") { return try isIn(left, at: offset) }
    if skip(word: "LIKE") { return try like(left, at: offset) }
    guard skip(word: "BETWEEN") else { return nil }
    let lower = try expression(.concatenation)
    try expect(word: "AND")
    let upper = try expression(.concatenation)
    return try node(
      .between(left.expression, lower.expression, upper.expression), at: offset,
      over: [left, lower, upper])
  }

  private mutating func isIn(_ left: Node, at offset: Int) throws(FeatureStoreError) -> Node {
    try expect("(")
    var elements: [Node] = []
    repeat { elements.append(try expression(.concatenation)) } while skip(",")
    try expect(")")
    return try node(
      .isIn(left.expression, elements.map(\.expression)), at: offset, over: [left] + elements)
  }

  private mutating func like(_ left: Node, at offset: Int) throws(FeatureStoreError) -> Node {
    let pattern = try expression(.concatenation)
    let escape = skip(word: "ESCAPE") ? try expression(.concatenation) : nil
    return try node(
      .like(left.expression, pattern: pattern.expression, escape: escape?.expression), at: offset,
      over: [left, pattern] + (escape.map { [$0] } ?? []))
  }
}
