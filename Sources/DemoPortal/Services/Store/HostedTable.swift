internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// A layer or table of a hosted service: its rows, and since when each is as it is.
struct HostedTable: ListedTable, Sendable {
  /// A row, with the generations of the service in which it came and changed.
  struct Row: Sendable {
    var feature: Feature
    var added: Int64
    var changed: Int64
    /// The replica whose upload changed it last, if it was one.
    var source: String?
  }

  /// A file that belongs to a row.
  struct File: Sendable {
    var id: Attachment.ID
    var globalID: String
    var objectID: Int64
    var name: String
    var contentType: String
    var data: Data
    var keywords: String
    var added: Int64
    var changed: Int64
    var source: String?
  }

  /// The record of a deleted row or file.
  struct Trace: Sendable {
    var objectID: Int64
    var globalID: String
    var added: Int64
    var deleted: Int64
    var source: String?
  }

  let schema: FeatureTableSchema
  let fields: FieldList
  /// The drawing of features, as in a layer resource.
  let drawingInfo: JSONValue?
  /// The rows by object id.
  private(set) var rows: [Row]
  /// The object ids of rows by their global ids, as ArcGIS Online spells these.
  private var objectIDs: [String: Int64]
  /// The files by id.
  var files: [File]
  var rowTraces: [Trace] = []
  var fileTraces: [Trace] = []
  /// The ids that the next row and the next file get.
  var nextObjectID: Int64
  var nextFileID: Attachment.ID

  /// The id in the service.
  var id: Int { schema.serviceLayerID ?? 0 }

  /// Creates a table whose rows are all of the first generation.
  init(
    schema: FeatureTableSchema, drawingInfo: JSONValue? = nil, features: [Feature],
    files: [File] = []
  ) {
    self.schema = schema
    self.drawingInfo = drawingInfo
    self.files = files
    fields = FieldList(schema.fields)
    rows = features.sorted { $0.objectID < $1.objectID }.map {
      Row(feature: $0, added: 1, changed: 1)
    }
    objectIDs = [:]
    nextObjectID = (rows.last?.feature.objectID ?? 0) + 1
    nextFileID = (files.map(\.id).max() ?? 0) + 1
    for row in rows {
      guard let id = globalID(of: row.feature) else { continue }
      objectIDs[HostedValue.plain(id)] = row.feature.objectID
    }
  }
}

extension HostedTable {
  /// The index of the row of an object id.
  func index(of objectID: Int64) -> Int? {
    rows.index(of: objectID, by: \.feature.objectID)
  }

  /// The row of an object id.
  func row(_ objectID: Int64) -> Row? { index(of: objectID).map { rows[$0] } }

  /// The global id of a row, as tables hold it, if there are any.
  func globalID(of feature: Feature) -> String? {
    guard let field = schema.globalIDField, case .text(let id)? = feature.attributes[field] else {
      return nil
    }
    return id
  }

  /// The object id of the row of a global id, however that is spelled.
  func objectID(ofGlobalID globalID: String) -> Int64? {
    objectIDs[HostedValue.plain(globalID)]
  }

  /// Adds a row, whose object id is the highest.
  mutating func append(_ row: Row) {
    rows.append(row)
    guard let id = globalID(of: row.feature) else { return }
    objectIDs[HostedValue.plain(id)] = row.feature.objectID
  }

  /// Changes all of a row but its ids.
  mutating func changeRow(at index: Int, _ change: (inout Row) -> Void) { change(&rows[index]) }

  /// Removes a row.
  mutating func removeRow(at index: Int) -> Row {
    let row = rows.remove(at: index)
    if let id = globalID(of: row.feature) { objectIDs[HostedValue.plain(id)] = nil }
    return row
  }

  /// The files of a row, by id.
  func files(of objectID: Int64) -> [File] { files.filter { $0.objectID == objectID } }

  /// The file of a global id, however that is spelled.
  func file(ofGlobalID globalID: String) -> File? {
    let wanted = HostedValue.plain(globalID)
    return files.first { HostedValue.plain($0.globalID) == wanted }
  }

  /// The box around all shapes.
  var extent: Envelope {
    rows.reduce(.empty) { box, row in row.feature.geometry?.extent.map(box.union) ?? box }
  }
}
