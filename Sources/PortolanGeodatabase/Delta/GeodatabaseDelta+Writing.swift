public import Foundation
internal import PortolanFeatures
internal import PortolanSQLite

extension GeodatabaseDelta {
  /// Writes the changes as a geodatabase at `url`, replacing any file there.
  ///
  /// - Parameters:
  ///   - url: The file; the folder must exist.
  ///   - now: The moment that the file says it was made.
  ///   - makeID: Makes the ids of items.
  /// - Throws: ``GeodatabaseWriterError``; the previous file is then as it was, or missing.
  public func write(
    to url: URL, now: Date, makeID: @escaping () -> UUID
  ) throws(GeodatabaseWriterError) {
    let rowsets = self.rowsets
    let writer = try GeodatabaseWriter(
      at: url,
      GeodatabaseDefinition(
        name: "delta",
        tables: rowsets.map { rowset in
          GeodatabaseDefinition.Table(
            rowset.schema, shapeField: rowset.schema.shapeFieldInGeodatabase)
        }), now: now, makeID: makeID)
    for rowset in rowsets { try writer.append(contentsOf: rowset.rows, to: rowset.schema.name) }
    try writer.finish()
    do {
      let connection = try Connection(at: url, access: .readWrite)
      try connection.transaction { connection in try register(rowsets, on: connection) }
    } catch {
      throw GeodatabaseWriterError(error, writing: url)
    }
  }

  /// A table of rows, and the dataset that they belong to.
  private struct Rowset {
    let datasetID: Int64
    let kind: LocalChange.Kind
    let schema: FeatureTableSchema
    let rows: [Feature]

    init(_ id: DeltaRowset, _ schema: FeatureTableSchema, _ rows: [Feature]) {
      datasetID = id.datasetID
      kind = id.kind
      self.schema = schema.alone(named: id.name)
      self.rows = rows
    }
  }

  /// A layer or the attachments of one, as the file numbers them.
  private struct Dataset {
    let id: Int64
    let name: String
    let isSpatial: Bool
    let layer: Layer
    let rows: [[Feature]]
  }

  private var datasets: [Dataset] {
    var datasets: [Dataset] = []
    for layer in layers {
      let schema = layer.schema
      datasets.append(
        Dataset(
          id: Int64(datasets.count + 1), name: schema.name,
          isSpatial: schema.geometryType != nil, layer: layer,
          rows: [layer.adds, layer.updates, layer.deletes.map { Self.trace($0, of: schema) }]))
      let files = [
        layer.addedFiles.map(Self.row), layer.updatedFiles.map(Self.row),
        layer.deletedFiles.map { Self.trace($0, of: .deltaAttachments) },
      ]
      guard files.contains(where: { !$0.isEmpty }) else { continue }
      datasets.append(
        Dataset(
          id: Int64(datasets.count + 1), name: schema.name + "__ATTACH", isSpatial: false,
          layer: layer, rows: files))
    }
    return datasets
  }

  private var rowsets: [Rowset] {
    datasets.flatMap { dataset in
      let isFiles = dataset.name != dataset.layer.schema.name
      let schema = isFiles ? FeatureTableSchema.deltaAttachments : dataset.layer.schema
      return zip(DeltaRowset.kinds, dataset.rows).filter { !$1.isEmpty }.map { kind, rows in
        Rowset(DeltaRowset(datasetID: dataset.id, kind: kind), schema, rows)
      }
    }
  }

  /// A row of which nothing is left but its id.
  private static func trace(_ globalID: String, of schema: FeatureTableSchema) -> Feature {
    var attributes = Attributes(FieldList(schema.fields))
    if let field = schema.globalIDField { attributes[field] = .text(globalID) }
    return Feature(objectID: 0, attributes: attributes)
  }

  private static func row(_ file: File) -> Feature {
    let attachment = file.attachment
    let values: [AttributeValue] = [
      .null, attachment.globalID.map { .text($0) } ?? .null, .text(file.parentGlobalID),
      .text(attachment.contentType), .text(attachment.name),
      .integer(Int64(attachment.data.count)), .blob(attachment.data),
    ]
    return Feature(
      objectID: attachment.id ?? 0,
      attributes: Attributes(FieldList(FeatureTableSchema.deltaAttachments.fields), values))
  }

  // MARK: Registering

  private func register(
    _ rowsets: [Rowset], on connection: borrowing Connection
  ) throws {
    for statement in DeltaTables.statements { try connection.execute(statement) }
    try connection.execute(
      "INSERT INTO GDB_DataChanges (ReplicaGUID, ServerGen) VALUES (?1, ?2)",
      .text("{\(replicaID.uuidString)}"), .text("\(serverGeneration)"))
    for dataset in datasets {
      try connection.execute(
        """
        INSERT INTO GDB_DataChangesDatasets (ID, Name, Type, LayerID, ServerGen)
        VALUES (?1, ?2, ?3, ?4, ?5)
        """, .integer(dataset.id), .text("main.\(dataset.name)"),
        .integer(dataset.isSpatial ? 2 : 1), .integer(Int64(dataset.layer.layerID)),
        .text("\(dataset.layer.serverGeneration)"))
    }
    for (index, rowset) in rowsets.enumerated() {
      try connection.execute(
        """
        INSERT INTO GDB_DataChangesDeltas (ID, RecordsetClassID, ChangeType, ChangedDatasetID)
        SELECT ?1, ObjectID, ?2, ?3 FROM GDB_Items WHERE Name = ?4
        """, .integer(Int64(index + 1)), .integer(DeltaRowset.number(of: rowset.kind)),
        .integer(rowset.datasetID), .text("main.\(rowset.schema.name)"))
    }
    for result in results { try register(result, on: connection) }
  }

  private func register(
    _ result: EditResult, on connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO GDB_DataChangesEditResults
        (ObjectId, ObjectGuid, Success, Code, Description, ChangeType, SyncedLayerId)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """, result.objectID.map { .integer($0) } ?? .null,
      result.globalID.map { .text($0) } ?? .null, .integer(result.isSuccess ? 1 : 0),
      .integer(Int64(result.code)), .text(result.reason),
      .integer(DeltaRowset.number(of: result.kind)), .integer(Int64(result.layerID)))
  }
}

/// The tables that make a geodatabase a delta.
enum DeltaTables {
  static let statements = [
    "CREATE TABLE GDB_DataChanges (ReplicaGUID uuidtext, ServerGen text)",
    """
    CREATE TABLE GDB_DataChangesDatasets (ID int32 PRIMARY KEY NOT NULL, Name text, Type int32,
      LayerID int32, ServerGen text)
    """,
    """
    CREATE TABLE GDB_DataChangesDeltas (ID int32 PRIMARY KEY NOT NULL, RecordsetClassID int32,
      ChangeType int32, ChangedDatasetID int32)
    """,
    """
    CREATE TABLE GDB_DataChangesEditResults (ObjectId int32, ObjectGuid uuidtext, Success int16,
      Code int32, Description text, ChangeType int32, SyncedLayerId int32)
    """,
  ]
}
