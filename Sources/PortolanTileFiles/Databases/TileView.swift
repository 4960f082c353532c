internal import PortolanTiles

/// A view that only puts columns of one or two tables side by side, as MBTiles files have one
/// called `tiles`.
///
/// Views of strangers are switched off when a database is opened: one may compute for ever. What
/// nearly all of these views say can be said as a query of our own, and that is what is run. A
/// view that says anything else (a condition, a function, an operator, a literal) is refused.
///
/// - SeeAlso: Docs/FORMATS.md, 4.2
struct TileView {
  /// A column, with the table or alias that it is said to be of.
  struct Column: Hashable {
    var table: String?
    var name: String
  }

  /// The source of each column of the view, by its name in lower case.
  private(set) var columns: [String: Column] = [:]
  /// The tables, one or two, by the alias that columns name them with.
  private(set) var tables: [(name: String, alias: String)] = []
  /// The columns that are equal in joined tables.
  private(set) var join: (Column, Column)?

  /// Reads a `CREATE VIEW` statement; `nil` if it is not that plain.
  init?(_ sql: String) {
    guard let tokens = SQLToken.tokens(of: sql) else { return nil }
    var rest = tokens[...]
    while let token = rest.first, !token.isWord("AS") { rest.removeFirst() }
    guard rest.popFirst() != nil, rest.skip("SELECT"), readColumns(&rest), rest.skip("FROM"),
      readTables(&rest)
    else { return nil }
    rest.skip(.symbol(";"))
    guard rest.isEmpty else { return nil }
  }

  private mutating func readColumns(_ rest: inout ArraySlice<SQLToken>) -> Bool {
    repeat {
      guard let column = rest.column() else { return false }
      let name = rest.skip("AS") ? rest.name() : column.name
      guard let name else { return false }
      columns[name.lowercased()] = column
    } while rest.skip(.symbol(","))
    return true
  }

  private mutating func readTables(_ rest: inout ArraySlice<SQLToken>) -> Bool {
    guard readTable(&rest) else { return false }
    guard let next = rest.first, next != .symbol(";") else { return true }
    if rest.skip(.symbol(",")) {
      return readTable(&rest) && rest.skip("WHERE") && readJoin(&rest)
    }
    if rest.skip("LEFT") { rest.skip("OUTER") } else { rest.skip("INNER") }
    guard rest.skip("JOIN"), readTable(&rest) else { return false }
    if rest.skip("USING") {
      guard rest.skip(.symbol("(")), let name = rest.name(), rest.skip(.symbol(")")) else {
        return false
      }
      join = (
        Column(table: tables[0].alias, name: name), Column(table: tables[1].alias, name: name)
      )
      return true
    }
    return rest.skip("ON") && readJoin(&rest)
  }

  private mutating func readTable(_ rest: inout ArraySlice<SQLToken>) -> Bool {
    guard let name = rest.name() else { return false }
    var alias = name
    if rest.skip("AS") {
      guard let given = rest.name() else { return false }
      alias = given
    } else if let next = rest.first, case .name(let given, let isQuoted) = next,
      isQuoted || !Self.joinWords.contains(given.uppercased())
    {
      rest.removeFirst()
      alias = given
    }
    tables.append((name, alias))
    return true
  }

  private mutating func readJoin(_ rest: inout ArraySlice<SQLToken>) -> Bool {
    let isEnclosed = rest.skip(.symbol("("))
    guard let left = rest.column(), rest.skip(.symbol("=")), let right = rest.column() else {
      return false
    }
    join = (left, right)
    return !isEnclosed || rest.skip(.symbol(")"))
  }

  private static let joinWords: Set<String> = [
    "JOIN", "INNER", "LEFT", "OUTER", "ON", "USING", "WHERE", "CROSS", "NATURAL",
  ]
}

extension ArraySlice<SQLToken> {
  /// Goes past a word, if it is the next one.
  @discardableResult
  fileprivate mutating func skip(_ word: String) -> Bool {
    guard first?.isWord(word) == true else { return false }
    removeFirst()
    return true
  }

  /// Goes past a token, if it is the next one.
  @discardableResult
  fileprivate mutating func skip(_ token: SQLToken) -> Bool {
    guard first == token else { return false }
    removeFirst()
    return true
  }

  /// The next token, if it is a name.
  fileprivate mutating func name() -> String? {
    guard case .name(let name, _) = first else { return nil }
    removeFirst()
    return name
  }

  /// The next tokens, if they name a column: `name` or `table.name`.
  fileprivate mutating func column() -> TileView.Column? {
    guard let name = name() else { return nil }
    guard skip(.symbol(".")) else { return TileView.Column(table: nil, name: name) }
    return self.name().map { TileView.Column(table: name, name: $0) }
  }
}
