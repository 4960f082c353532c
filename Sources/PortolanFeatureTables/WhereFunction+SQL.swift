internal import PortolanFeatures
public import PortolanSQLite

extension WhereFunction {
  /// The name in SQL.
  var sqlName: String { "portolan_\(rawValue)" }
}

extension Connection {
  /// Gives the connection the functions of where clauses, so that the same code answers in SQL and
  /// in memory.
  ///
  /// SQLite's own functions differ: its `upper` knows ASCII only, its `round` makes every number a
  /// double.
  public borrowing func registerWhereFunctions() throws(DatabaseError) {
    for function in WhereFunction.allCases {
      try register(function: function.sqlName, traits: .deterministic) { arguments in
        SQLValue(ofClause: function.call(arguments.map(AttributeValue.init)))
      }
    }
  }
}
