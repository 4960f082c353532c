internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// The changes in a layer since a generation.
struct ServiceChanges: Sendable {
  /// The scope of the changes.
  struct Scope: Sendable {
    /// The generation after which changes count.
    var generation: Int64
    /// The replica whose own uploads do not count.
    var excludedSource: String?
    /// The rows that count, by object id; all if `nil`.
    var objectIDs: Set<Int64>?
    /// The global ids of rows that count whatever ``objectIDs`` says, in small letters.
    var heldIDs: Set<String>?
    /// Whether attachments count.
    var includesFiles: Bool
  }

  let layerID: Int
  var adds: [Feature] = []
  var updates: [Feature] = []
  /// The global ids of rows that were deleted, with braces.
  var deletes: [HostedTable.Trace] = []
  var addedFiles: [HostedTable.File] = []
  var updatedFiles: [HostedTable.File] = []
  var deletedFiles: [HostedTable.Trace] = []

  /// Whether nothing changed.
  var isEmpty: Bool {
    adds.isEmpty && updates.isEmpty && deletes.isEmpty && addedFiles.isEmpty
      && updatedFiles.isEmpty && deletedFiles.isEmpty
  }

  /// Finds the changes of a table.
  init(of table: HostedTable, _ scope: Scope) {
    layerID = table.id
    for row in table.rows where scope.counts(row.changed, row.source) {
      let isHeld = scope.holds(table.globalID(of: row.feature))
      guard isHeld ?? false || scope.objectIDs?.contains(row.feature.objectID) ?? true else {
        continue
      }
      if row.added > scope.generation || isHeld == false {
        adds.append(row.feature)
      } else {
        updates.append(row.feature)
      }
    }
    deletes = table.rowTraces.filter { trace in
      scope.counts(trace.deleted, trace.source)
        && (scope.holds(trace.globalID) ?? (trace.added <= scope.generation))
    }
    if scope.includesFiles { readFiles(of: table, scope) }
  }

  private mutating func readFiles(of table: HostedTable, _ scope: Scope) {
    for file in table.files where scope.counts(file.changed, file.source) {
      let owner = table.row(file.objectID).flatMap { table.globalID(of: $0.feature) }
      guard
        scope.holds(owner) ?? false || scope.objectIDs?.contains(file.objectID) ?? true
      else { continue }
      if file.added > scope.generation {
        addedFiles.append(file)
      } else {
        updatedFiles.append(file)
      }
    }
    deletedFiles = table.fileTraces.filter {
      scope.counts($0.deleted, $0.source) && $0.added <= scope.generation
    }
  }
}

extension ServiceChanges.Scope {
  /// Whether something that changed in that generation counts.
  fileprivate func counts(_ changed: Int64, _ source: String?) -> Bool {
    changed > generation && (source == nil || source != excludedSource)
  }

  /// Whether the client has the row of that id; `nil` if that is not known.
  fileprivate func holds(_ globalID: String?) -> Bool? {
    heldIDs.map { ids in globalID.map { ids.contains(HostedValue.plain($0)) } ?? false }
  }
}
