/// Names of tables as geodatabases write them.
enum TableName {
  /// A name without the qualifiers of a database and an owner: `main.Trails` is `Trails`.
  static func unqualified(_ name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return name }
    return String(name[name.index(after: dot)...])
  }

  /// A name as a key: without qualifiers and without case.
  static func key(_ name: String) -> String { unqualified(name).lowercased() }
}

extension String {
  /// Whether both are the same identifier, as SQLite compares them.
  package func isSameName(as other: String) -> Bool {
    self == other || lowercased() == other.lowercased()
  }
}
