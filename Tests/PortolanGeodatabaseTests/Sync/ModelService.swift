import PortolanFeatures

@testable import PortolanGeodatabase

/// The service of a ``SyncedSites``, as far as it matters to what relates to what: it deletes parts with what they
/// are parts of, and empties the keys of notes.
struct ModelService {
  /// A row as the service has it.
  struct Row: Hashable {
    var name: String
    var parent: String?
  }

  /// A row of a table.
  struct Key: Hashable, Comparable {
    let table: SyncedSites.Table
    let id: String

    static func < (one: Key, other: Key) -> Bool {
      (one.table.rawValue, one.id) < (other.table.rawValue, other.id)
    }
  }

  private(set) var rows: [Key: Row] = [:]
  /// What the copy has received.
  private var received: [Key: Row] = [:]
  /// Whether what the copy has sent does not come back to it.
  var leavesOutOwn = false
  /// Whether deletions are carried out before all else.
  var deletesFirst = false

  init() {
    for row in SyncedSites.rows {
      rows[Key(table: row.table, id: row.globalID)] = Row(name: row.name, parent: row.parent)
    }
    received = rows
  }

  func keys(of table: SyncedSites.Table) -> [Key] {
    rows.keys.filter { $0.table == table }.sorted()
  }

  // MARK: - Others

  mutating func put(_ row: Row, at key: Key) { rows[key] = row }

  /// Deletes a row with its parts; what merely relates to it loses its key.
  mutating func delete(_ key: Key) {
    rows[key] = nil
    guard key.table == .sites || key.table == .surveys else { return }
    let parts: SyncedSites.Table = key.table == .sites ? .surveys : .samples
    for part in keys(of: parts) where rows[part]?.parent == key.id { delete(part) }
    guard key.table == .sites else { return }
    for note in keys(of: .notes) where rows[note]?.parent == key.id { rows[note]?.parent = nil }
  }

  // MARK: - The copy

  /// What has changed since the copy has received changes.
  mutating func changes() -> [GeodatabaseDelta.Layer] {
    defer { received = rows }
    return SyncedSites.Table.allCases.compactMap { table in
      var layer = GeodatabaseDelta.Layer(
        layerID: table.rawValue, schema: SyncedSites.schema(table), serverGeneration: 2)
      for key in keys(of: table) {
        guard let row = rows[key], received[key] != row else { continue }
        let feature = SyncedSites.feature(table, key.id, row.name, of: row.parent)
        if received[key] == nil {
          layer.adds.append(feature)
        } else {
          layer.updates.append(feature)
        }
      }
      layer.deletes = received.keys.filter { $0.table == table && rows[$0] == nil }.map(\.id)
        .sorted()
      return layer.adds.isEmpty && layer.updates.isEmpty && layer.deletes.isEmpty ? nil : layer
    }
  }

  /// Carries out what the copy sends.
  ///
  /// - Parameters:
  ///   - upload: What it sends.
  ///   - refuses: Whether an edit is refused for some other reason.
  /// - Returns: What became of each edit.
  mutating func carryOut(
    _ upload: SyncUpload, refusing refuses: (SyncUpload.Edit) -> Bool
  ) -> [GeodatabaseDelta.EditResult] {
    let before = rows
    let ordered =
      deletesFirst
      ? upload.edits.filter(\.isDeletionOfFeature) + upload.edits.filter { !$0.isDeletionOfFeature }
      : upload.edits
    let results = ordered.filter { $0.attachmentID == nil }.map { edit in
      let code = refuses(edit) ? 1000 : carryOut(edit, of: upload)
      return GeodatabaseDelta.EditResult(
        objectID: nil, globalID: edit.globalID, isSuccess: code == 0, code: code,
        reason: code == 0 ? "" : "No.", kind: LocalChange.Kind(rawValue: edit.kind) ?? .update,
        layerID: edit.layerID)
    }
    guard leavesOutOwn else { return results }
    for edit in upload.edits {
      guard let key = Self.key(of: edit), rows[key] != before[key] else { continue }
      received[key] = rows[key]
    }
    return results
  }

  private static func key(of edit: SyncUpload.Edit) -> Key? {
    SyncedSites.Table(rawValue: edit.layerID).map { Key(table: $0, id: edit.globalID) }
  }

  /// Carries out an edit.
  ///
  /// - Returns: The number of what is wrong; 0 for nothing.
  private mutating func carryOut(_ edit: SyncUpload.Edit, of upload: SyncUpload) -> Int {
    guard let key = Self.key(of: edit),
      let layer = upload.delta.layers.first(where: { $0.layerID == edit.layerID })
    else { return 1 }
    guard !edit.isDeletionOfFeature else {
      guard rows[key] != nil else { return 1019 }
      delete(key)
      return 0
    }
    let sent = layer.adds + layer.updates
    guard let feature = sent.first(where: { $0.attributes["GlobalID"] == .text(key.id) }),
      case .text(let name)? = feature.attributes["NAME"]
    else { return 2 }
    guard (edit.kind == "add") == (rows[key] == nil) else {
      return edit.kind == "add" ? 1003 : 1019
    }
    var parent: String?
    if case .text(let id)? = feature.attributes["PARENT"] { parent = id }
    rows[key] = Row(name: name, parent: parent)
    return 0
  }
}
