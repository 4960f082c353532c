extension WhereParser {
  private typealias Function = WhereExpression.Function

  /// The call of the function that the current word names.
  mutating func call(_ keyword: String, _ word: String) throws(FeatureStoreError) -> Node {
    let offset = current.offset
    let unknown = failure("there is no function \"\(word)\"; there are \(Self.functionNames)")
    advance()
    advance()
    switch keyword {
    case "CAST": return try cast(at: offset)
    case "EXTRACT": return try extract(at: offset)
    case "TRIM": return try trim(at: offset)
    case "POSITION": return try position(at: offset)
    case "SUBSTRING": return try substring(at: offset)
    case "CONCAT":
      let parts = try arguments()
      return try node(.concatenation(parts.map(\.expression)), at: offset, over: parts)
    case "CHARACTER_LENGTH": return try call(.charLength, arguments(), at: offset)
    default:
      guard let function = Function(rawValue: keyword) else { throw unknown }
      return try call(function, arguments(), at: offset)
    }
  }

  private static let functionNames =
    (Function.allCases.map(\.rawValue).filter { !$0.contains(" ") } + ["CAST", "EXTRACT", "CONCAT"])
    .sorted().joined(separator: ", ")

  /// The contents of the brackets; the opening one is passed already.
  private mutating func arguments() throws(FeatureStoreError) -> [Node] {
    if skip(")") { return [] }
    var arguments: [Node] = []
    repeat { arguments.append(try expression(.concatenation)) } while skip(",")
    try expect(")")
    return arguments
  }

  private func call(
    _ function: WhereExpression.Function, _ arguments: [Node], at offset: Int
  ) throws(FeatureStoreError) -> Node {
    try node(.function(function, arguments.map(\.expression)), at: offset, over: arguments)
  }

  /// `CAST(value AS type)`.
  private mutating func cast(at offset: Int) throws(FeatureStoreError) -> Node {
    let value = try expression(.concatenation)
    try expect(word: "AS")
    guard case .word(let name) = current.kind, let type = Self.castTypes[name.uppercased()] else {
      let names = Self.castTypes.keys.sorted().joined(separator: ", ")
      throw failure("\(current.description) is no type to cast to; there are \(names)")
    }
    advance()
    if type == .double { _ = skip(word: "PRECISION") }
    try skipSize()
    try expect(")")
    return try node(.cast(value.expression, type), at: offset, over: [value])
  }

  private static let castTypes: [String: WhereExpression.CastType] = [
    "INTEGER": .integer, "INT": .integer, "SMALLINT": .integer, "BIGINT": .integer,
    "DOUBLE": .double, "FLOAT": .double, "REAL": .double, "NUMERIC": .double, "DECIMAL": .double,
    "VARCHAR": .text, "CHAR": .text, "NVARCHAR": .text, "TEXT": .text,
    "DATE": .date, "TIMESTAMP": .timestamp,
  ]

  /// The size of a type, which limits nothing here: `(10)`, `(10, 2)`.
  private mutating func skipSize() throws(FeatureStoreError) {
    guard skip("(") else { return }
    repeat {
      guard case .number = current.kind else { throw failure("a size is missing") }
      advance()
    } while skip(",")
    try expect(")")
  }

  /// `EXTRACT(YEAR FROM date)`.
  private mutating func extract(at offset: Int) throws(FeatureStoreError) -> Node {
    guard case .word(let name) = current.kind,
      let part = WhereExpression.DatePart(rawValue: name.uppercased())
    else {
      let names = WhereExpression.DatePart.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure("\(current.description) is no part of a date; there are \(names)")
    }
    advance()
    try expect(word: "FROM")
    let value = try expression(.concatenation)
    try expect(")")
    return try node(.extract(part, value.expression), at: offset, over: [value])
  }

  /// `TRIM([BOTH | LEADING | TRAILING] ['x'] [FROM] text)`.
  private mutating func trim(at offset: Int) throws(FeatureStoreError) -> Node {
    var function = WhereExpression.Function.trim
    if following.kind != .sign(")") {
      if skip(word: "LEADING") {
        function = .trimLeading
      } else if skip(word: "TRAILING") {
        function = .trimTrailing
      } else {
        _ = skip(word: "BOTH")
      }
    }
    let hasCharacter = !skip(word: "FROM")
    var parts = [try expression(.concatenation)]
    if hasCharacter, skip(word: "FROM") { parts.insert(try expression(.concatenation), at: 0) }
    try expect(")")
    return try call(function, parts, at: offset)
  }

  /// `POSITION(part IN text)`.
  private mutating func position(at offset: Int) throws(FeatureStoreError) -> Node {
    let part = try expression(.concatenation)
    if !skip(",") { try expect(word: "IN") }
    let text = try expression(.concatenation)
    try expect(")")
    return try call(.position, [part, text], at: offset)
  }

  /// `SUBSTRING(text FROM start [FOR count])` or with commas.
  private mutating func substring(at offset: Int) throws(FeatureStoreError) -> Node {
    var parts = [try expression(.concatenation)]
    if !skip(",") { try expect(word: "FROM") }
    parts.append(try expression(.concatenation))
    if skip(",") || skip(word: "FOR") { parts.append(try expression(.concatenation)) }
    try expect(")")
    return try call(.substring, parts, at: offset)
  }
}
