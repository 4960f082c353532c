internal import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

/// Reads a delta: its own tables over SQL, the rows as those of any geodatabase.
final class DeltaReader {
  /// The most rows that are read of a table that lists changes.
  private static let maximumRows = 1_000_000

  let replicaID: UUID
  let serverGeneration: Int64
  /// The folder of the file.
  let folder: URL
  private let file: String
  private let connection: Connection
  private let reader: GeodatabaseReader

  init(_ url: URL) throws(FeatureStoreError) {
    let file = url.lastPathComponent
    let reader = try GeodatabaseReader(at: url)
    let connection = try Self.connection(url)
    let rows = try Self.rows(
      "SELECT ReplicaGUID, ServerGen FROM GDB_DataChanges", "GDB_DataChanges", connection, file)
    let text = rows.first?.text(0).trimmingCharacters(in: ["{", "}"]) ?? ""
    guard let id = UUID(uuidString: text) else {
      throw .damaged(
        file: file, place: "GDB_DataChanges", reason: "it does not say of which copy it is")
    }
    replicaID = id
    serverGeneration = Int64(rows.first?.text(1) ?? "") ?? 0
    self.file = file
    folder = url.deletingLastPathComponent()
    self.reader = reader
    self.connection = connection
  }

  private static func connection(_ url: URL) throws(FeatureStoreError) -> Connection {
    do throws(DatabaseError) {
      return try Connection(at: url, access: .readOnly)
    } catch {
      throw .unreadable(file: url.lastPathComponent, reason: error.message)
    }
  }

  /// A row of `GDB_DataChangesDatasets`.
  struct Dataset {
    let id: Int64
    let name: String
    let layerID: Int
    let generation: Int64

    private static let suffix = "__ATTACH"

    /// Whether its rows are the files of another.
    var isFiles: Bool { name.uppercased().hasSuffix(Self.suffix) }
    /// The name of that other.
    var owner: String { String(name.dropLast(Self.suffix.count)) }

    /// Whether its rows are the files of another, given which.
    func isFiles(of other: Dataset) -> Bool {
      isFiles && !other.isFiles && owner.lowercased() == other.name.lowercased()
    }
  }

  /// The changes, by layer.
  ///
  /// - Parameter hasFiles: Whether attachments are among them; else nothing about them is read.
  /// - Returns: The changes; their rows are read later.
  /// - Throws: What is wrong with the file.
  func changes(withFiles hasFiles: Bool = true) throws(FeatureStoreError) -> [DeltaFileLayer] {
    let all = try datasets()
    var layers: [DeltaFileLayer] = []
    for dataset in all where !dataset.isFiles {
      let files = hasFiles ? all.filter { $0.isFiles(of: dataset) } : []
      layers.append(try DeltaFileLayer(dataset, files: files, in: self))
    }
    guard hasFiles else { return layers }
    // Where no row has changed but files have, services may list the files alone.
    for files in all where files.isFiles && !all.contains(where: files.isFiles(of:)) {
      layers.append(try DeltaFileLayer(files, files: [files], in: self))
    }
    return layers
  }

  /// The generations that the changes of layers belong to.
  func layerGenerations() throws(FeatureStoreError) -> [Int: Int64] {
    // The changes of a layer come before those of attachments alone.
    let datasets = try datasets()
    let ordered = datasets.filter { !$0.isFiles } + datasets.filter(\.isFiles)
    return Dictionary(
      ordered.map { ($0.layerID, $0.generation) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Rows of layers

  /// The schema of a table.
  func schema(ofRows table: String) throws(FeatureStoreError) -> FeatureTableSchema {
    var schema = try reader.schema(of: table)
    schema.globalIDField =
      schema.globalIDField ?? schema.fields.first { $0.type == .globalID }?.name
    return schema
  }

  /// The rows of a table.
  func rows(
    of table: String, withShapes hasShapes: Bool
  ) throws(FeatureStoreError) -> DeltaCursor<DeltaRow> {
    let schema = try schema(ofRows: table)
    let cursor = try reader.cursor(
      in: table, matching: QueryParameters(returnsGeometry: hasShapes))
    return DeltaCursor { () throws(FeatureStoreError) -> DeltaRow? in
      try self.next(cursor, of: table, schema)
    }
  }

  private func next(
    _ cursor: FeatureCursor, of table: String, _ schema: FeatureTableSchema
  ) throws(FeatureStoreError) -> DeltaRow? {
    let row = try reader.row(after: cursor, of: table)
    // A table may have no such ids at all; then it is its reader who knows what to do.
    if case .whole(let feature)? = row, schema.globalIDField != nil,
      feature.attributes.globalID(schema) == nil
    {
      throw unnamed(table)
    }
    return row
  }

  /// The global ids in tables of rows that were deleted; of those, the rows may say anything but the id.
  func globalIDs(ofRowsIn tables: [String]) throws(FeatureStoreError) -> [String] {
    var ids: [String] = []
    for table in tables {
      let schema = try schema(ofRows: table)
      let cursor = try reader.cursor(in: table, matching: QueryParameters(returnsGeometry: false))
      while let row = try cursor.next() {
        guard let id = row.attributes.globalID(schema) else { throw unnamed(table) }
        ids.append(id)
      }
    }
    return ids
  }

  /// The error for a record that does not identify its row: it cannot be applied, and must not be
  /// skipped.
  private func unnamed(_ table: String) -> FeatureStoreError {
    .damaged(file: file, place: table, reason: "a row does not say which it is")
  }

  // MARK: - Attachments

  /// The attachments in a table, one after the other: all contents together would fill the memory.
  func files(
    in table: String
  ) throws(FeatureStoreError) -> DeltaCursor<GeodatabaseDelta.File> {
    let cursor = try reader.cursor(in: table, matching: QueryParameters())
    return DeltaCursor { () throws(FeatureStoreError) -> GeodatabaseDelta.File? in
      guard let row = try cursor.next() else { return nil }
      guard let file = GeodatabaseDelta.File(row: row) else { throw self.unnamed(table) }
      return file
    }
  }

  /// The global ids in tables of attachments.
  func globalIDs(ofFilesIn tables: [String]) throws(FeatureStoreError) -> [String] {
    var ids: [String] = []
    for table in tables {
      let field = "GLOBALID"
      guard try reader.schema(of: table).field(named: field) != nil else { throw unnamed(table) }
      let cursor = try reader.cursor(in: table, matching: QueryParameters(outFields: [field]))
      while let row = try cursor.next() {
        guard let id = row.attributes.text(field) else { throw unnamed(table) }
        ids.append(id)
      }
    }
    return ids
  }

  // MARK: - Lists

  private func datasets() throws(FeatureStoreError) -> [Dataset] {
    try rows(
      "SELECT ID, Name, LayerID, ServerGen FROM GDB_DataChangesDatasets ORDER BY ID",
      "GDB_DataChangesDatasets"
    ).map { row in
      Dataset(
        id: row.integer(0), name: row.text(1).split(separator: ".").last.map(String.init) ?? "",
        layerID: Int(row.integer(2)), generation: Int64(row.text(3)) ?? row.integer(3))
    }
  }

  /// The tables of rows that belong to a dataset.
  func tables(of dataset: Int64) throws(FeatureStoreError) -> [DeltaFileLayer.Table] {
    let place = "GDB_DataChangesDeltas"
    let rows = try rows(
      """
      SELECT d.ChangeType, i.Name FROM GDB_DataChangesDeltas d
      LEFT JOIN GDB_Items i ON i.ObjectID = d.RecordsetClassID
      WHERE d.ChangedDatasetID = \(dataset) ORDER BY d.ID
      """, place)
    var tables: [DeltaFileLayer.Table] = []
    for row in rows {
      let number = row.integer(0)
      // What is passed over would never come again.
      guard let kind = DeltaRowset.kinds.first(where: { DeltaRowset.number(of: $0) == number }),
        let name = row.text(1).split(separator: ".").last
      else {
        throw .damaged(
          file: file, place: place, reason: "it lists changes that are of no kind, or not there")
      }
      tables.append((kind: kind, name: String(name)))
    }
    return tables
  }

  /// The result of changes that were uploaded.
  func results() throws(FeatureStoreError) -> [GeodatabaseDelta.EditResult] {
    try rows(
      """
      SELECT ObjectId, ObjectGuid, Success, Code, Description, ChangeType, SyncedLayerId
      FROM GDB_DataChangesEditResults
      """, "GDB_DataChangesEditResults"
    ).compactMap { row in
      let number = row.integer(5)
      // What does not say whether it succeeded is no answer.
      guard let kind = DeltaRowset.kinds.first(where: { DeltaRowset.number(of: $0) == number }),
        row.values[2] != .null
      else { return nil }
      return GeodatabaseDelta.EditResult(
        objectID: row.values[0] == .null ? nil : row.integer(0),
        globalID: row.text(1).isEmpty ? nil : row.text(1), isSuccess: row.integer(2) != 0,
        code: Int(row.integer(3)), reason: row.text(4), kind: kind, layerID: Int(row.integer(6)))
    }
  }

  // MARK: - Rows of lists

  private struct Row {
    let values: [SQLValue]

    func integer(_ index: Int) -> Int64 {
      if case .integer(let value) = values[index] { value } else { 0 }
    }

    func text(_ index: Int) -> String {
      switch values[index] {
      case .text(let text): text
      case .integer(let number): String(number)
      default: ""
      }
    }
  }

  private func rows(_ sql: String, _ place: String) throws(FeatureStoreError) -> [Row] {
    try Self.rows(sql, place, connection, file)
  }

  private static func rows(
    _ sql: String, _ place: String, _ connection: borrowing Connection, _ file: String
  ) throws(FeatureStoreError) -> [Row] {
    var rows: [Row] = []
    do throws(DatabaseError) {
      let query = try connection.query(sql)
      while rows.count <= maximumRows, try query.step() {
        rows.append(Row(values: (0..<query.columnCount).map { query[$0] }))
      }
    } catch {
      throw .damaged(file: file, place: place, reason: error.message)
    }
    // Of a list that is read in part, the rest would be lost.
    guard rows.count <= maximumRows else {
      throw .damaged(file: file, place: place, reason: "it lists more than \(maximumRows) rows")
    }
    return rows
  }
}

extension GeodatabaseDelta.File {
  /// Reads a row of a table of attachments; `nil` if it does not say whose it is, or lacks its contents.
  fileprivate init?(row: Feature) {
    let attributes = row.attributes
    guard let parent = attributes.text("REL_GLOBALID"), let id = attributes.text("GLOBALID") else {
      return nil
    }
    var data = Data()
    if case .blob(let contents)? = attributes["DATA"] {
      data = contents
    } else if case .integer(let size)? = attributes["DATA_SIZE"], size > 0 {
      return nil
    }
    self.init(
      NewAttachment(
        name: attributes.text("ATT_NAME") ?? "", contentType: attributes.text("CONTENT_TYPE") ?? "",
        data: data, id: row.objectID, globalID: id), parentGlobalID: parent)
  }
}

extension Attributes {
  /// The text in a field.
  fileprivate func text(_ field: String) -> String? {
    if case .text(let text)? = self[field] { text } else { nil }
  }
}
