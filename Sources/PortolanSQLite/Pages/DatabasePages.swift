public import struct Foundation.URL

/// Small tables of a SQLite file, read from its pages without opening it as a database.
///
/// SQLite reads and parses the whole schema before it answers the first question, which takes
/// longer than reading a few rows of a table that only says what the file is. What is read here
/// is what SQLite would answer. Whatever is unusual or damaged ends in a ``PageError``, and is
/// for SQLite: a journal beside the file, other encodings than UTF-8, virtual tables and views,
/// tables without row ids, rows that a later column is missing from. One thread uses it at a time.
///
/// - SeeAlso: [Database File Format](https://www.sqlite.org/fileformat2.html)
public final class DatabasePages {
  private let file: PageFile
  private var knownSchema: [PageRecord]?

  /// The most tables, indexes and triggers that are looked through.
  private static let mostEntries = 10_000

  /// Opens a file that nobody writes to, and reads its header; the schema is read when it is first
  /// needed.
  public init(at url: URL) throws(PageError) { file = try PageFile(at: url) }

  /// What the file declares.
  private func schema() throws(PageError) -> [PageRecord] {
    if let knownSchema { return knownSchema }
    var schema: [PageRecord] = []
    // The schema is a table itself: type, name, tbl_name, rootpage, sql.
    try PageTree(file, root: 1).forEachRow { _, record throws(PageError) in
      guard record.count == 5, schema.count < Self.mostEntries else { throw .unusual }
      schema.append(record)
      return true
    }
    knownSchema = schema
    return schema
  }

  /// The four bytes that name the file format, 0 when unset.
  public var applicationID: UInt32 { file.header.applicationID }

  /// The rows of a table in the order of their ids, of each the values of some columns.
  ///
  /// - Parameters:
  ///   - table: Its name, of which the case of letters does not matter.
  ///   - columns: The names of the columns, likewise.
  ///   - limit: The most rows that are read.
  /// - Returns: The rows; `nil` if there is no table of that name or it lacks a column.
  /// - Throws: ``PageError`` for what is left to SQLite.
  public func rows(
    of table: String, _ columns: [String], limit: Int = 10_000
  ) throws(PageError) -> [[SQLValue]]? {
    guard let stored = try self.table(named: table) else { return nil }
    let indices = columns.compactMap { stored.index(of: $0) }
    return indices.count == columns.count ? try stored.rows(indices, limit: limit) : nil
  }

  /// The first row in which a column is a text, of it the values of some columns.
  ///
  /// Of other rows no more is read than tells that they are others.
  ///
  /// - Parameters:
  ///   - table: Its name, of which the case of letters does not matter.
  ///   - key: The name of the column, likewise.
  ///   - text: The text, in which it does.
  ///   - columns: The names of the columns whose values are asked for.
  /// - Returns: The values; `nil` if there is no such row or table or it lacks a column.
  /// - Throws: ``PageError`` for what is left to SQLite.
  public func row(
    of table: String, where key: String, is text: String, _ columns: [String]
  ) throws(PageError) -> [SQLValue]? {
    guard let stored = try self.table(named: table), let key = stored.index(of: key) else {
      return nil
    }
    let indices = columns.compactMap { stored.index(of: $0) }
    return indices.count == columns.count
      ? try stored.rows(indices, limit: 1, where: key, is: text).first : nil
  }

  /// The table of a name, of which the case of letters does not matter; `nil` if there is none.
  ///
  /// - Throws: ``PageError`` if it is left to SQLite.
  public func table(named name: String) throws(PageError) -> StoredTable? {
    guard let entry = try entry(named: name) else { return nil }
    // A view is read by SQLite; an index or trigger cannot have the name of a table.
    guard try entry.isText(0, Self.table), case .integer(let number) = try entry.value(3),
      case .text(let sql) = try entry.value(4), let root = Int(exactly: number), root > 1
    else { throw .unusual }
    return StoredTable(PageTree(file, root: root), try TableDeclaration(sql))
  }

  /// The names of the tables, in the order of the schema.
  public var tableNames: [String] {
    get throws(PageError) {
      var names: [String] = []
      for record in try schema() where try record.isText(0, Self.table) {
        if case .text(let name) = try record.value(1) { names.append(name) }
      }
      return names
    }
  }

  /// Whether the schema has a table, a view, an index or a trigger of that name, of which the case
  /// of letters does not matter.
  public func declares(_ name: String) throws(PageError) -> Bool { try entry(named: name) != nil }

  /// The statement that made what bears that name; `nil` if there is none.
  public func declaration(of name: String) throws(PageError) -> String? {
    guard let entry = try entry(named: name), case .text(let sql) = try entry.value(4) else {
      return nil
    }
    return sql
  }

  /// The one entry of that name.
  private func entry(named name: String) throws(PageError) -> PageRecord? {
    let name = Array(name.utf8)
    let schema = try schema()
    var found: Int?
    for index in schema.indices where try schema[index].isText(1, name) {
      guard found == nil else { throw .unusual }
      found = index
    }
    return found.map { schema[$0] }
  }

  private static let table = Array("table".utf8)
}
