extension WhereParser {
  /// A literal, a field, a call, or anything in brackets.
  mutating func primary() throws(FeatureStoreError) -> Node {
    let token = current
    switch token.kind {
    case .number(let value): return literal(value)
    case .text(let text): return literal(.text(text))
    case .name(let name): return leaf(.field(name))
    case .word(let word): return try self.word(word)
    case .sign("("):
      advance()
      let inner = try expression(.or)
      try expect(")")
      return inner
    case .sign, .end: throw failure("a value is missing before \(token.description)")
    }
  }

  private mutating func literal(_ value: AttributeValue) -> Node { leaf(.literal(value)) }

  private mutating func leaf(_ kind: WhereExpression.Kind) -> Node {
    defer { advance() }
    return Node(expression: WhereExpression(kind, offset: current.offset), depth: 1)
  }

  private static let reserved: Set<String> = [
    "AND", "OR", "NOT", "IN", "IS", "LIKE", "BETWEEN", "ESCAPE",
  ]

  /// A bare word; most keywords count as such only where something follows that makes them one,
  /// since fields are often called `DATE` or `YEAR`.
  private mutating func word(_ word: String) throws(FeatureStoreError) -> Node {
    let keyword = word.uppercased()
    switch keyword {
    case "NULL": return literal(.null)
    case "CURRENT_DATE": return leaf(.currentDate)
    case "CURRENT_TIMESTAMP": return leaf(.currentTimestamp)
    case "CASE" where beginsCases: return try cases()
    case _ where Self.reserved.contains(keyword):
      throw failure("a value is missing before \"\(word)\"")
    default: break
    }
    if following.kind == .sign("(") { return try call(keyword, word) }
    if case .text(let text) = following.kind, let value = try moment(keyword, text) {
      return value
    }
    return leaf(.field(word))
  }

  /// `DATE '…'`, `TIMESTAMP '…'` or `INTERVAL '…' DAY`.
  private mutating func moment(
    _ keyword: String, _ text: String
  ) throws(FeatureStoreError) -> Node? {
    let offset = current.offset
    switch keyword {
    case "DATE", "TIMESTAMP":
      guard let civil = CivilDate(parsing: text) else {
        throw failure("\"\(text)\" is no date; write \(keyword) '2020-01-31'")
      }
      advance()
      advance()
      let date = keyword == "DATE" ? civil.startOfDay : civil
      return Node(
        expression: WhereExpression(.literal(.date(date.date)), offset: offset), depth: 1)
    case "INTERVAL":
      advance()
      advance()
      let milliseconds = try interval(text)
      return Node(expression: WhereExpression(.interval(milliseconds), offset: offset), depth: 1)
    default: return nil
    }
  }

  private mutating func interval(_ text: String) throws(FeatureStoreError) -> Int64 {
    let units: [(String, Double)] = [
      ("DAY", 86_400_000), ("HOUR", 3_600_000), ("MINUTE", 60_000), ("SECOND", 1000),
    ]
    for (unit, length) in units where skip(word: unit) {
      guard let number = SQLNumber.parse(text)?.number ?? Double(text),
        let milliseconds = Int64(exactly: (number * length).rounded())
      else { throw failure("\"\(text)\" is no number of units") }
      return milliseconds
    }
    throw failure("DAY, HOUR, MINUTE or SECOND is missing before \(current.description)")
  }
}

extension CivilDate {
  /// Midnight before.
  var startOfDay: CivilDate {
    var day = self
    (day.hour, day.minute, day.second, day.millisecond) = (0, 0, 0, 0)
    return day
  }
}
