internal import Foundation
package import PortolanFeatures
internal import PortolanFiles
package import PortolanSQLite

/// A geodatabase that is open for editing, or for reading its archive, with errors in terms of
/// editing.
package final class EditedFile {
  let url: URL
  let held: HeldReader
  private var tables: [String: EditedTable] = [:]
  /// Tables that are written along with others, whether they could be edited by themselves or not.
  private var numberedTables: [String: EditedTable] = [:]
  private var writtenTables: [String: EditedTable] = [:]
  private var presentTables: Set<String>?
  private var journal = EditingJournal()
  /// The values that the running transaction has read.
  var cache = TransactionCache()

  var path: String { url.path(percentEncoded: false) }

  /// The format of the file.
  var format: any TableFormat { held.reader.source.format }

  /// Opens a file with triggers and views off.
  init(
    _ url: URL, _ format: any TableFormat, _ functions: EsriFunctions
  ) throws(FeatureEditError) {
    try FilePermission.check(url)
    self.url = url
    let source = GeodatabaseSource(.file(url), format: format)
    do {
      held = HeldReader(try GeodatabaseReader(source, on: source.location.connect(for: .edit)))
    } catch {
      throw FeatureEditError(error)
    }
    try doing("its header") { connection throws(DatabaseError) in
      try functions.register(on: connection)
    }
  }

  /// Opens a file, or a part of one, for reading only.
  package init(reading source: GeodatabaseSource) throws(FeatureEditError) {
    url = URL(filePath: source.location.name)
    do { held = HeldReader(try GeodatabaseReader(source)) } catch {
      throw FeatureEditError(error)
    }
  }

  deinit { journal.end(held.reader.connection) }

  // MARK: - Statements

  /// Runs SQLite calls, with errors that say what they mean for the edit.
  package func doing<T>(
    _ place: @autoclosure () -> String, _ edit: EditPlace? = nil,
    _ body: (borrowing Connection) throws(DatabaseError) -> T
  ) throws(FeatureEditError) -> T {
    do { return try body(held.reader.connection) } catch {
      throw failure(error, in: place(), edit)
    }
  }

  /// Runs a statement to its end.
  package func run(
    _ sql: String, _ values: [SQLValue] = [], in place: @autoclosure () -> String,
    _ edit: EditPlace? = nil
  ) throws(FeatureEditError) {
    try doing(place(), edit) { connection throws(DatabaseError) in
      let query = try connection.query(sql)
      for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
      while try query.step() {}
    }
  }

  /// The rows that a query finds, each as its values.
  package func rows(
    _ sql: String, _ values: [SQLValue] = [], in place: @autoclosure () -> String
  ) throws(FeatureEditError) -> [[SQLValue]] {
    try doing(place()) { connection throws(DatabaseError) in
      let query = try connection.query(sql)
      for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
      var rows: [[SQLValue]] = []
      while try query.step() { rows.append((0..<query.columnCount).map { query[$0] }) }
      return rows
    }
  }

  /// Asks the reader, with errors in the words of editors.
  func reading<T>(
    _ body: (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) throws(FeatureEditError) -> T {
    do { return try body(held.reader) } catch { throw FeatureEditError(error) }
  }

  // MARK: - Tables

  /// Whether the file has a table of that name, without case, and not only a view.
  package func hasTable(_ name: String) throws(FeatureEditError) -> Bool {
    let key = format.key(name)
    if let presentTables { return presentTables.contains(key) }
    let rows = try rows(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND upper(sql) NOT LIKE 'CREATE VIRTUAL%'
      """, in: "the list of tables")
    // SQLite knows the small letters of ASCII only.
    let names = Set(rows.compactMap { $0[0].text?.lowercased() })
    presentTables = names
    return names.contains(key)
  }

  /// A table that can be edited.
  ///
  /// - Throws: `noSuchTable`, or `tableNotEditable` with the reason.
  func table(_ name: String) throws(FeatureEditError) -> EditedTable {
    let key = format.key(name)
    if let table = tables[key] { return table }
    let table = try numberedTable(name)
    func refusal(_ reason: String) -> FeatureEditError {
      .tableNotEditable(table: table.name, reason: reason)
    }
    guard table.storage.geometry == nil || table.shapes != nil else {
      throw refusal("nothing says how its coordinates are stored")
    }
    guard table.storage.column(named: table.storage.objectIDColumn) != nil else {
      throw refusal("it has no object ids")
    }
    if let reason = try format.editing.refusal(of: table.name, in: self) { throw refusal(reason) }
    tables[key] = table
    return table
  }

  /// A table of which single rows are written, be it only along with another.
  ///
  /// Where SQLite does not number the rows (`WITHOUT ROWID`), they are told apart by a key of one whole number.
  ///
  /// - Throws: `noSuchTable`, or `tableNotEditable` with the reason.
  package func numberedTable(_ name: String) throws(FeatureEditError) -> EditedTable {
    let key = format.key(name)
    if let table = numberedTables[key] { return table }
    let table = try writtenTable(name)
    func refusal(_ reason: String) -> FeatureEditError {
      .tableNotEditable(table: table.name, reason: reason)
    }
    guard let number = table.storage.rowNumber else {
      throw refusal("SQLite does not number its rows, and it has no key of one whole number")
    }
    if let column = table.storage.keyColumn {
      // The next row of a history gets its number from SQLite.
      guard column == table.storage.objectIDColumn, !table.storage.isTracked else {
        throw refusal("SQLite does not number its rows, and their key is not their object id")
      }
      // Such a column holds whatever is put into it.
      let others = try rows(
        """
        SELECT 1 FROM \(table.storage.quotedName) WHERE typeof(\(number)) <> 'integer' LIMIT 1
        """, in: "the rows of \(table.name)")
      guard others.isEmpty else {
        throw refusal(
          "SQLite does not number its rows, and not all of their keys are whole numbers")
      }
    }
    numberedTables[key] = table
    return table
  }

  /// A table that is written, be it only along with another, such as the pairs of related rows.
  ///
  /// - Throws: `noSuchTable`, or `tableNotEditable` if it is a view.
  package func writtenTable(_ name: String) throws(FeatureEditError) -> EditedTable {
    let key = format.key(name)
    if let table = writtenTables[key] { return table }
    let (storage, schema) = try reading { reader throws(FeatureStoreError) in
      (try reader.storage(of: name), try reader.schema(of: name))
    }
    guard try hasTable(storage.name) else {
      throw .tableNotEditable(table: storage.name, reason: "it is no table but a view")
    }
    var shapes: (any ShapeWriting)?
    if let geometry = storage.geometry {
      shapes = try format.editing.makeShapeWriter(for: geometry, of: schema, in: self)
    }
    let table = EditedTable(storage, schema, shapes)
    writtenTables[key] = table
    return table
  }

  /// Forgets what was found out about tables, since another connection has changed the file: a
  /// column that was added would be missing from the rows that undoing restores.
  func forgetTables() {
    held.reader.source.forget()
    tables = [:]
    numberedTables = [:]
    writtenTables = [:]
    presentTables = nil
  }

  // MARK: - Transactions

  /// Lets readers and the transactions that follow continue beside each other, where that is possible.
  func beginJournal() { journal.begin(held.reader.connection) }

  /// Runs `body` in a transaction, of which nothing remains if it throws.
  func transaction<T>(
    _ body: () throws(FeatureEditError) -> T
  ) throws(FeatureEditError) -> T {
    try FilePermission.check(url)
    try run("BEGIN IMMEDIATE", in: "the file")
    cache = TransactionCache()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      // The task may have been cancelled, which must not stop what follows.
      _ = held.reader.connection.interruption.begin()
      // SQLite may have rolled back on its own; what failed first is what counts.
      try? run("ROLLBACK", in: "the file")
      throw error
    }
  }

  /// Runs a part of a transaction, of which nothing remains if it throws.
  func attempt<T>(
    _ body: () throws(FeatureEditError) -> T
  ) throws(FeatureEditError) -> T {
    try run("SAVEPOINT attempt", in: "the file")
    do {
      let result = try body()
      try run("RELEASE attempt", in: "the file")
      return result
    } catch {
      cache = TransactionCache()
      do {
        try run("ROLLBACK TO attempt", in: "the file")
        try run("RELEASE attempt", in: "the file")
      } catch let other {
        // Where the rest of the transaction is gone too, it must not be continued.
        throw error.isAboutRow ? other : error
      }
      throw error
    }
  }

  /// Ends a transaction.
  ///
  /// Where the disk fails at that moment, the log may hold the whole transaction: this connection
  /// does not see it, but recovery of the file after a crash does.
  private func commit() throws(FeatureEditError) {
    do { try run("COMMIT", in: "the file") } catch .writeFailed(let file, let reason) {
      throw .unconfirmed(file: file, reason: reason)
    }
  }

  // MARK: - Errors

  private func failure(
    _ error: DatabaseError, in place: String, _ edit: EditPlace?
  ) -> FeatureEditError {
    switch error.code {
    case .interrupted: return .cancelled
    case .busy, .locked: return .locked(file: path, holder: error.holder?.description)
    case .full: return .diskFull(file: path)
    case .readOnly, .cannotOpen:
      return permissionFailure ?? .writeFailed(file: path, reason: error.message)
    case .inputOutput: return .writeFailed(file: path, reason: error.message)
    case .constraint:
      guard let edit else { break }
      return .refused(file: path, reason: error.message, edit)
    default: break
    }
    return .damaged(file: path, place: place, reason: error.message)
  }

  /// Why SQLite could not write, if the file system gives a reason.
  private var permissionFailure: FeatureEditError? {
    do throws(FeatureEditError) {
      try FilePermission.check(url)
      return nil
    } catch {
      return error
    }
  }
}

extension FeatureEditError {
  /// The error of an edit after the failure of a reader.
  init(_ error: FeatureStoreError) {
    self =
      switch error {
      case .cancelled: .cancelled
      case .noSuchTable(let name, let available): .noSuchTable(name: name, available: available)
      case .noSuchField(let name, let table): .unknownField(name: name, EditPlace(table: table))
      case .badWhereClause(let reason, _):
        .damaged(file: "", place: "a where clause", reason: reason)
      case .damaged(let file, let place, let reason):
        .damaged(file: file, place: place, reason: reason)
      case .unreadable(let file, let reason): .unreadable(file: file, reason: reason)
      case .unreadableRow(let row) where row.isDamaged:
        .damaged(file: row.file, place: row.place, reason: row.reason)
      case .unreadableRow(let row):
        .unreadable(file: row.file, reason: "in \(row.place), \(row.reason)")
      case .busy(let file, let holder): .locked(file: file, holder: holder)
      case .unsupported(let file, let feature):
        .unreadable(file: file, reason: "it uses \(feature)")
      case .unanswered(let query): .unreadable(file: "", reason: query.reason)
      }
  }
}
