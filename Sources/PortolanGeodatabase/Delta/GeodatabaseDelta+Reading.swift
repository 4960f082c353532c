public import Foundation
public import PortolanFeatures
internal import PortolanSQLite

extension GeodatabaseDelta {
  /// Reads the changes in a geodatabase; those of datasets without a layer are left out.
  ///
  /// - Throws: `FeatureStoreError` if the file is none, or holds no changes.
  public init(readingFrom url: URL) throws(FeatureStoreError) {
    let reader = try DeltaReader(url)
    self.init(
      replicaID: reader.replicaID, serverGeneration: reader.serverGeneration,
      layers: try reader.layers(), results: try reader.results())
  }
}

/// Reads a delta: its own tables over SQL, the rows as those of any geodatabase.
private struct DeltaReader: ~Copyable {
  /// The most rows that are read of a table that lists changes.
  private static let maximumRows = 1_000_000

  let replicaID: UUID
  let serverGeneration: Int64
  private let file: String
  private let folder: URL
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
  private struct Dataset {
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

  func layers() throws(FeatureStoreError) -> [GeodatabaseDelta.Layer] {
    let all = try datasets()
    var layers: [GeodatabaseDelta.Layer] = []
    for dataset in all where !dataset.isFiles {
      var layer = GeodatabaseDelta.Layer(
        layerID: dataset.layerID,
        schema: FeatureTableSchema(name: dataset.name, fields: []),
        serverGeneration: dataset.generation)
      try read(dataset, into: &layer)
      for files in all where files.isFiles(of: dataset) { try readFiles(files, into: &layer) }
      layers.append(layer)
    }
    // Where no row has changed but files have, services may list the files alone.
    for files in all where files.isFiles && !all.contains(where: files.isFiles(of:)) {
      var layer = GeodatabaseDelta.Layer(
        layerID: files.layerID, schema: FeatureTableSchema(name: files.owner, fields: []),
        serverGeneration: files.generation)
      try readFiles(files, into: &layer)
      layers.append(layer)
    }
    return layers
  }

  private func read(
    _ dataset: Dataset, into layer: inout GeodatabaseDelta.Layer
  ) throws(FeatureStoreError) {
    for (kind, table) in try tables(of: dataset.id) {
      var schema = try reader.schema(of: table)
      schema.globalIDField =
        schema.globalIDField ?? schema.fields.first { $0.type == .globalID }?.name
      layer.schema = schema.alone(named: dataset.name)
      // Of what is gone, the rows may say anything but the id.
      let rows = try rows(of: table, withShapes: kind != .delete, &layer.incomplete)
      let ids = rows.compactMap { $0.attributes.globalID(schema) }
      // A table may have no such ids at all; then it is its reader who knows what to do.
      let hasIDs = kind == .delete || schema.globalIDField != nil
      guard !hasIDs || ids.count == rows.count else { throw unnamed(table) }
      switch kind {
      case .add: layer.adds += rows
      case .update: layer.updates += rows
      case .delete: layer.deletes += ids
      }
    }
  }

  /// The rows of a table; those whose shapes cannot be read are put beside the others.
  private func rows(
    of table: String, withShapes hasShapes: Bool,
    _ incomplete: inout [GeodatabaseDelta.IncompleteRow]
  ) throws(FeatureStoreError) -> [Feature] {
    let cursor = try reader.cursor(
      in: table, matching: QueryParameters(returnsGeometry: hasShapes))
    var rows: [Feature] = []
    while true {
      do {
        guard let row = try cursor.next() else { return rows }
        rows.append(row)
      } catch .unreadableRow(let row) {
        let query = QueryParameters(objectIDs: [row.objectID], returnsGeometry: false)
        for feature in try reader.features(in: table, matching: query) {
          incomplete.append(GeodatabaseDelta.IncompleteRow(feature, reason: row.reason))
        }
      }
    }
  }

  /// What does not say which row it is cannot be taken in, and must not be passed over.
  private func unnamed(_ table: String) -> FeatureStoreError {
    .damaged(file: file, place: table, reason: "a row does not say which it is")
  }

  private func readFiles(
    _ dataset: Dataset, into layer: inout GeodatabaseDelta.Layer
  ) throws(FeatureStoreError) {
    for (kind, table) in try tables(of: dataset.id) {
      // One row after the other: all contents together would fill the memory.
      let cursor = try reader.cursor(in: table, matching: QueryParameters())
      while let row = try cursor.next() {
        guard let id = row.attributes.text("GLOBALID") else { throw unnamed(table) }
        guard kind != .delete else {
          layer.deletedFiles.append(id)
          continue
        }
        guard let file = GeodatabaseDelta.File(row: row)?.onDisk(in: folder) else {
          throw unnamed(table)
        }
        if kind == .add { layer.addedFiles.append(file) } else { layer.updatedFiles.append(file) }
      }
    }
  }

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
  private func tables(
    of dataset: Int64
  ) throws(FeatureStoreError) -> [(LocalChange.Kind, String)] {
    let place = "GDB_DataChangesDeltas"
    let rows = try rows(
      """
      SELECT d.ChangeType, i.Name FROM GDB_DataChangesDeltas d
      LEFT JOIN GDB_Items i ON i.ObjectID = d.RecordsetClassID
      WHERE d.ChangedDatasetID = \(dataset) ORDER BY d.ID
      """, place)
    var tables: [(LocalChange.Kind, String)] = []
    for row in rows {
      let number = row.integer(0)
      // What is passed over would never come again.
      guard let kind = DeltaRowset.kinds.first(where: { DeltaRowset.number(of: $0) == number }),
        let name = row.text(1).split(separator: ".").last
      else {
        throw .damaged(
          file: file, place: place, reason: "it lists changes that are of no kind, or not there")
      }
      tables.append((kind, String(name)))
    }
    return tables
  }

  func results() throws(FeatureStoreError) -> [GeodatabaseDelta.EditResult] {
    try rows(
      """
      SELECT ObjectId, ObjectGuid, Success, Code, Description, ChangeType, SyncedLayerId
      FROM GDB_DataChangesEditResults
      """, "GDB_DataChangesEditResults"
    ).compactMap { row in
      let number = row.integer(5)
      guard let kind = DeltaRowset.kinds.first(where: { DeltaRowset.number(of: $0) == number })
      else { return nil }
      return GeodatabaseDelta.EditResult(
        objectID: row.values[0] == .null ? nil : row.integer(0),
        globalID: row.text(1).isEmpty ? nil : row.text(1), isSuccess: row.integer(2) != 0,
        code: Int(row.integer(3)), reason: row.text(4), kind: kind, layerID: Int(row.integer(6)))
    }
  }

  // MARK: Rows

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
