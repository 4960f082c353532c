internal import CSQLite
public import Foundation

/// Functions and collations that a schema expects, such as those that Esri's triggers call
/// ("Docs/FORMATS.md, 2.1").
extension Connection {
  /// The contexts in which a function may be called, and what SQLite may assume of it.
  public struct FunctionTraits: OptionSet, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The same arguments always give the same value.
    public static let deterministic = FunctionTraits(rawValue: SQLITE_DETERMINISTIC)
    /// Harmless for every caller, so triggers, views and defaults of any file may use it.
    public static let innocuous = FunctionTraits(rawValue: SQLITE_INNOCUOUS)
  }

  /// Makes a function known to SQL on this connection.
  ///
  /// - Parameters:
  ///   - name: As SQL spells it; case does not matter.
  ///   - argumentCount: How many arguments it takes; `nil` for any number.
  ///   - traits: Where it may be called from; nowhere but our own statements by default.
  ///   - body: Called on the connection's thread. What it throws fails the statement.
  /// - Throws: ``DatabaseError`` if SQLite refuses the name.
  public func register(
    function name: String, argumentCount: Int? = nil, traits: FunctionTraits = [],
    _ body: @escaping @Sendable ([SQLValue]) throws -> SQLValue
  ) throws(DatabaseError) {
    let function = unsafe Unmanaged.passRetained(SQLFunction(body)).toOpaque()
    let code = unsafe sqlite3_create_function_v2(
      handle.pointer, name, Int32(clamping: argumentCount ?? -1),
      SQLITE_UTF8 | traits.rawValue, function,
      { unsafe SQLFunction.call($0, $1, $2) }, nil, nil,
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<SQLFunction>.fromOpaque(context).release()
      })
    // SQLite releases the function itself when it refuses it.
    guard code == SQLITE_OK else { throw handle.failure(code) }
  }

  /// Makes a collation known to SQL on this connection.
  ///
  /// - Parameters:
  ///   - name: As the schema spells it; case does not matter.
  ///   - compare: A total order, called on the connection's thread.
  /// - Throws: ``DatabaseError`` if SQLite refuses the name.
  public func register(
    collation name: String,
    _ compare: @escaping @Sendable (String, String) -> ComparisonResult
  ) throws(DatabaseError) {
    let collation = unsafe Unmanaged.passRetained(SQLCollation(compare)).toOpaque()
    let code = unsafe sqlite3_create_collation_v2(
      handle.pointer, name, SQLITE_UTF8, collation,
      { unsafe SQLCollation.compare($0, $1, $2, $3, $4) },
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<SQLCollation>.fromOpaque(context).release()
      })
    guard code == SQLITE_OK else {
      // Unlike a function, a refused collation stays ours.
      unsafe Unmanaged<SQLCollation>.fromOpaque(collation).release()
      throw handle.failure(code)
    }
  }
}
