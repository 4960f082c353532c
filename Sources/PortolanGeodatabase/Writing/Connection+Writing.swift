package import Foundation
package import PortolanSQLite

extension Connection {
  /// Inserts a row whose columns are named with their values.
  package func insert(
    into table: String, _ values: KeyValuePairs<String, SQLValue>
  ) throws(DatabaseError) {
    let columns = values.map { SQLIdentifier.quoted($0.key) }.joined(separator: ",")
    let parameters = values.indices.map { "?\($0 + 1)" }.joined(separator: ",")
    let insertion = try query(
      "INSERT INTO \(SQLIdentifier.quoted(table)) (\(columns)) VALUES (\(parameters))")
    for (index, value) in values.enumerated() { try insertion.bind(value.value, at: index + 1) }
    _ = try insertion.step()
  }

  /// Begins a new file, in a transaction.
  ///
  /// Nothing is lost if the machine stops, since the file has no name yet: so there is no
  /// journal. The rules of the columns hold already for what is bound, and are not checked again.
  package func beginFile(applicationID: Int32) throws(DatabaseError) {
    for pragma in [
      "page_size = 4096", "encoding = 'UTF-8'", "journal_mode = OFF", "synchronous = OFF",
      "locking_mode = EXCLUSIVE", "secure_delete = OFF", "ignore_check_constraints = ON",
      "cache_size = -16384",
    ] { try execute("PRAGMA \(pragma)") }
    try setApplicationID(applicationID)
    try execute("BEGIN EXCLUSIVE")
  }

  /// Makes a spatial index and fills it.
  ///
  /// - Parameters:
  ///   - name: The name of the index.
  ///   - key: The column with the keys of rows.
  ///   - boxes: The boxes.
  ///   - folder: Where boxes are sorted that are too many for memory.
  /// - Throws: `DatabaseError`, ``GeodatabaseWriterError`` if that folder cannot be written.
  /// - SeeAlso: ``SpatialIndexPacking``
  package func makeSpatialIndex(
    named name: String, key: String, of boxes: SpatialIndexPacking,
    sortingIn folder: URL = FileManager.default.temporaryDirectory
  ) throws {
    try execute(
      """
      CREATE VIRTUAL TABLE \(SQLIdentifier.quoted(name)) USING RTREE (\(key),minx,maxx,miny,maxy)
      """)
    // SQLite decides how large nodes are, and leaves an empty one of that size.
    let nodes = SQLIdentifier.quoted(name + "_node")
    var nodeSize = 0
    do {
      let root = try query("SELECT length(data) FROM \(nodes) WHERE nodeno = 1")
      if try root.step() { nodeSize = Int(root.integer(at: 0)) }
    }
    guard boxes.count > 0 else { return }
    if let tree = try boxes.sorted(nodeSize: nodeSize, in: folder) {
      return try withSchemaEditing { connection in try connection.fill(name, with: tree) }
    }
    let tree = boxes.packed(nodeSize: nodeSize)
    try withSchemaEditing { connection in try connection.fill(name, with: tree) }
  }

  private func fill(_ name: String, with tree: PackedSpatialIndex) throws(DatabaseError) {
    let tables = try SpatialIndexTables(name, on: self)
    try tree.forEachNode { (number, bytes) throws(DatabaseError) in try tables.add(number, bytes) }
    try tree.forEachRow { (row, leaf) throws(DatabaseError) in try tables.rows.run(row, leaf) }
    try tree.forEachParent { (node, parent) throws(DatabaseError) in
      try tables.parents.run(node, parent)
    }
  }

  private func fill(_ name: String, with tree: SortedSpatialIndex) throws {
    let tables = try SpatialIndexTables(name, on: self)
    try tree.forEach(
      node: { (number, bytes) throws(DatabaseError) in try tables.add(number, bytes) },
      row: { (row, leaf) throws(DatabaseError) in try tables.rows.run(row, leaf) },
      parent: { (node, parent) throws(DatabaseError) in try tables.parents.run(node, parent) })
  }
}

/// The tables that a spatial index consists of.
private struct SpatialIndexTables: ~Copyable {
  let nodes: Query
  let rows: Query
  let parents: Query

  init(_ name: String, on connection: borrowing Connection) throws(DatabaseError) {
    func table(_ suffix: String) -> String { SQLIdentifier.quoted(name + suffix) }
    let nodes = try connection.query(
      "REPLACE INTO \(table("_node")) (nodeno, data) VALUES (?1, ?2)")
    let rows = try connection.query(
      "INSERT INTO \(table("_rowid")) (rowid, nodeno) VALUES (?1, ?2)")
    let parents = try connection.query(
      "INSERT INTO \(table("_parent")) (nodeno, parentnode) VALUES (?1, ?2)")
    // All at once, since what cannot be copied is never there in part.
    self.nodes = nodes
    self.rows = rows
    self.parents = parents
  }

  func add(_ number: Int64, _ bytes: [UInt8]) throws(DatabaseError) {
    nodes.reset()
    try nodes.bind(number, at: 1)
    try nodes.bind(bytes, at: 2)
    _ = try nodes.step()
  }
}

extension Query {
  /// Runs a statement of two parameters once more.
  package func run(_ first: Int64, _ second: Int64) throws(DatabaseError) {
    reset()
    try bind(first, at: 1)
    try bind(second, at: 2)
    _ = try step()
  }

  /// Binds bytes as a blob.
  package func bind(_ bytes: [UInt8], at index: Int) throws(DatabaseError) {
    // The closure of an array cannot throw a type of its own.
    let result = unsafe bytes.withUnsafeBytes { buffer in
      Result { () throws(DatabaseError) in try unsafe bind(buffer, at: index) }
    }
    try result.get()
  }
}
