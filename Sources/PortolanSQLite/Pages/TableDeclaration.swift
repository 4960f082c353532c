/// The columns of a table, by the statement that made it.
///
/// Understands statements as tools write them, and leaves the rest to SQLite.
struct TableDeclaration: Hashable, Sendable {
  /// A column as it is read.
  struct Column: Hashable, Sendable {
    let name: String
    /// Whether numbers are fractions, which SQLite stores as whole ones where they are.
    let isReal: Bool
    /// Whether the column is another name for the row's id, which is then stored as `NULL`.
    let isRowID: Bool
  }

  let columns: [Column]

  /// Reads a `CREATE TABLE` statement.
  ///
  /// - Throws: ``PageError/unusual`` for virtual tables, tables without row ids, computed columns,
  ///   and whatever is not understood.
  init(_ sql: String) throws(PageError) {
    var tokens = try DeclarationToken.tokens(of: sql)[...]
    guard tokens.popFirst()?.isWord("create") == true,
      tokens.popFirst()?.isWord("table") == true, tokens.popFirst()?.isName == true,
      tokens.popFirst() == .symbol("("), let end = Self.end(of: tokens)
    else { throw .unusual }
    // What follows are options, each of which changes how rows are stored or read.
    guard tokens[end...].count == 1 else { throw .unusual }
    let parts = Self.parts(tokens[..<end])
    let isConstraint = { (part: ArraySlice<DeclarationToken>) in
      part.first.map { token in Self.constraints.contains { token.isWord($0) } } ?? true
    }
    let keys = parts.filter(isConstraint).compactMap(Self.key)
    var columns: [Column] = []
    for part in parts where !isConstraint(part) { columns.append(try Self.column(part, keys)) }
    guard !columns.isEmpty else { throw .unusual }
    self.columns = columns
  }

  /// The number of a column, whose name's case does not matter; `nil` if there is none.
  func index(of name: String) -> Int? {
    columns.firstIndex { column in
      column.name == name
        || column.name.utf8.count == name.utf8.count
          && column.name.lowercased() == name.lowercased()
    }
  }

  private static let constraints = ["constraint", "primary", "unique", "check", "foreign"]

  /// Where the bracket that is open closes.
  private static func end(of tokens: ArraySlice<DeclarationToken>) -> Int? {
    var depth = 1
    for index in tokens.indices {
      if tokens[index] == .symbol("(") { depth += 1 }
      if tokens[index] == .symbol(")") { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// What stands between commas that are in no brackets.
  private static func parts(
    _ tokens: ArraySlice<DeclarationToken>
  ) -> [ArraySlice<DeclarationToken>] {
    var parts: [ArraySlice<DeclarationToken>] = []
    var (depth, start) = (0, tokens.startIndex)
    for index in tokens.indices {
      if tokens[index] == .symbol("(") { depth += 1 }
      if tokens[index] == .symbol(")") { depth -= 1 }
      guard depth == 0, tokens[index] == .symbol(",") else { continue }
      parts.append(tokens[start..<index])
      start = index + 1
    }
    return parts + [tokens[start...]]
  }

  /// The one column of a primary key that is declared by itself.
  private static func key(_ part: ArraySlice<DeclarationToken>) -> String? {
    guard let start = part.firstIndex(where: { $0.isWord("primary") }),
      let open = part[start...].firstIndex(of: .symbol("(")), !part[open...].contains(.symbol(","))
    else { return nil }
    return part[open...].dropFirst().first?.name?.lowercased()
  }

  private static func column(
    _ part: ArraySlice<DeclarationToken>, _ keys: [String]
  ) throws(PageError) -> Column {
    guard let name = part.first?.name,
      !part.contains(where: { $0.isWord("as") || $0.isWord("generated") })
    else { throw .unusual }
    let words = part.dropFirst().prefix { token in
      token.isName && !Self.ends.contains { token.isWord($0) }
    }
    // SQLite compares a type in quotes with them.
    guard !words.contains(where: \.isQuoted) else { throw .unusual }
    let type = words.compactMap(\.name).joined(separator: " ").lowercased()
    let hasSize = part.dropFirst(1 + words.count).first == .symbol("(")
    let isKey = part.contains { $0.isWord("primary") } || keys.contains(name.lowercased())
    // A key that runs backwards is by an old mistake no other name for the row's id.
    guard !isKey || !part.contains(where: { $0.isWord("desc") }) else { throw .unusual }
    return Column(name: name, isReal: isReal(type), isRowID: isKey && type == "integer" && !hasSize)
  }

  /// The words that end a type.
  private static let ends = [
    "constraint", "primary", "not", "null", "unique", "check", "default", "collate", "references",
  ]

  /// Whether a type gives numbers as fractions.
  ///
  /// - SeeAlso: [Column Affinity](https://www.sqlite.org/datatype3.html#determination_of_column_affinity)
  private static func isReal(_ type: String) -> Bool {
    let type = Array(type.utf8)
    func holds(_ words: [[UInt8]]) -> Bool {
      words.contains { word in type.indices.contains { type[$0...].starts(with: word) } }
    }
    return !holds(otherTypes) && holds(realTypes)
  }

  private static let otherTypes = ["int", "char", "clob", "text", "blob"].map { Array($0.utf8) }
  private static let realTypes = ["real", "floa", "doub"].map { Array($0.utf8) }
}
