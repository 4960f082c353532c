public import Foundation
public import PortolanFeatures

extension GeodatabaseDelta {
  /// Reads the changes in a geodatabase; those of datasets without a layer are left out.
  ///
  /// - Throws: `FeatureStoreError` if the file is none, or holds no changes.
  public init(readingFrom url: URL) throws(FeatureStoreError) {
    let reader = try DeltaReader(url)
    var layers: [Layer] = []
    for changes in try reader.changes() { layers.append(try changes.layer()) }
    self.init(
      replicaID: reader.replicaID, serverGeneration: reader.serverGeneration, layers: layers,
      results: try reader.results())
  }
}

/// The changes of a layer in a geodatabase.
struct DeltaFileLayer: LayerChanges {
  /// A table of rows, and what they stand for.
  typealias Table = (kind: LocalChange.Kind, name: String)

  let layerID: Int
  let serverGeneration: Int64
  let schema: FeatureTableSchema
  let deletes: [String]
  let deletedFiles: [String]
  private let rowTables: [Table]
  private let fileTables: [Table]
  private let reader: DeltaReader

  /// Finds the tables of a layer, and reads what is gone.
  ///
  /// - Parameters:
  ///   - dataset: The layer, or its attachments where nothing else has changed.
  ///   - files: The attachments.
  ///   - reader: Reads the file.
  /// - Throws: `FeatureStoreError` if the file is damaged.
  init(
    _ dataset: DeltaReader.Dataset, files: [DeltaReader.Dataset], in reader: DeltaReader
  ) throws(FeatureStoreError) {
    let rowTables = dataset.isFiles ? [] : try reader.tables(of: dataset.id)
    var fileTables: [Table] = []
    for files in files { fileTables += try reader.tables(of: files.id) }
    let name = dataset.isFiles ? dataset.owner : dataset.name
    var schema = FeatureTableSchema(name: name, fields: [])
    for table in rowTables { schema = try reader.schema(ofRows: table.name).alone(named: name) }
    layerID = dataset.layerID
    serverGeneration = dataset.generation
    self.schema = schema
    self.rowTables = rowTables
    self.fileTables = fileTables
    self.reader = reader
    deletes = try reader.globalIDs(ofRowsIn: Self.names(rowTables, [.delete]))
    deletedFiles = try reader.globalIDs(ofFilesIn: Self.names(fileTables, [.delete]))
  }

  /// The names of the tables of some kinds, in the order of those.
  private static func names(_ tables: [Table], _ kinds: [LocalChange.Kind]) -> [String] {
    kinds.flatMap { kind in tables.filter { $0.kind == kind }.map(\.name) }
  }

  // What rows have that the layer lacks is to be seen from their fields.
  var unknownFields: [String] { [] }

  func fieldLists() throws(FeatureStoreError) -> [FieldList] {
    var lists: [FieldList] = []
    for table in Self.names(rowTables, [.add, .update]) {
      // A table without rows says nothing.
      guard let row = try reader.rows(of: table, withShapes: false).next() else { continue }
      lists.append(row.feature.attributes.fieldList)
    }
    return lists
  }

  func rows(withShapes hasShapes: Bool) throws(FeatureStoreError) -> DeltaCursor<DeltaRow> {
    rows([.add, .update], withShapes: hasShapes)
  }

  private func rows(
    _ kinds: [LocalChange.Kind], withShapes hasShapes: Bool
  ) -> DeltaCursor<DeltaRow> {
    DeltaCursor(Self.names(rowTables, kinds)) {
      [reader] (table: String) throws(FeatureStoreError) -> DeltaCursor<DeltaRow> in
      try reader.rows(of: table, withShapes: hasShapes)
    }
  }

  func files() throws(FeatureStoreError) -> DeltaCursor<GeodatabaseDelta.File> {
    files([.add, .update])
  }

  private func files(_ kinds: [LocalChange.Kind]) -> DeltaCursor<GeodatabaseDelta.File> {
    DeltaCursor(Self.names(fileTables, kinds)) {
      [reader] (table: String) throws(FeatureStoreError) -> DeltaCursor<GeodatabaseDelta.File> in
      try reader.files(in: table)
    }
  }

  func fileIDs() throws(FeatureStoreError) -> DeltaCursor<String> {
    DeltaCursor(try reader.globalIDs(ofFilesIn: Self.names(fileTables, [.add, .update])))
  }

  /// All of it in memory, but for the contents of large attachments.
  func layer() throws(FeatureStoreError) -> GeodatabaseDelta.Layer {
    var layer = GeodatabaseDelta.Layer(
      layerID: layerID, schema: schema, serverGeneration: serverGeneration, deletes: deletes,
      deletedFiles: deletedFiles)
    for kind in [LocalChange.Kind.add, .update] {
      let rows = rows([kind], withShapes: true)
      while let row = try rows.next() {
        switch row {
        case .incomplete(let row): layer.incomplete.append(row)
        case .whole(let feature):
          if kind == .add { layer.adds.append(feature) } else { layer.updates.append(feature) }
        }
      }
      let files = files([kind])
      while let file = try files.next()?.onDisk(in: reader.folder) {
        if kind == .add { layer.addedFiles.append(file) } else { layer.updatedFiles.append(file) }
      }
    }
    return layer
  }
}
