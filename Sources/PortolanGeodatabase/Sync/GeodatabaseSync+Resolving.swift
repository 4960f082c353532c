internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

extension GeodatabaseSync {
  /// Settles what somebody has decided on.
  ///
  /// - Throws: `noSuchRow` if there is no such issue.
  func resolve(
    _ id: SyncIssue.ID, as resolution: SyncIssue.Resolution
  ) throws(FeatureEditError) {
    try editing.rewriting { () throws(FeatureEditError) in
      guard let issue = try store.all().first(where: { $0.id == id }) else {
        throw .noSuchRow(objectID: id, EditPlace(table: "the conflicts"))
      }
      let table = try file.table(issue.table)
      let rows = try SyncRows(file)
      let change = try change(of: issue, in: table)
      switch resolution {
      case .mine where issue.isGoneThere: try makeNew(issue, change, table, rows)
      case .mine:
        // If nothing is left that could be sent, what others have written is still to come in.
        if change == nil, issue.kind == .conflict { try giveUp(issue, nil, table, rows) }
      case .theirs: try giveUp(issue, change, table, rows)
      }
      try store.remove(id)
      try finish(rows)
    }
  }

  /// Has a feature that the service has no more count as a new one there, with all its attachments.
  private func makeNew(
    _ issue: SyncIssue, _ change: LocalChange?, _ table: EditedTable, _ rows: SyncRows
  ) throws(FeatureEditError) {
    let edited = change?.attachments.map(\.id) ?? []
    try rows.makeNew(issue.objectID, of: table)
    guard let files = try attachments(of: table) else { return }
    let present = try rows.rows().attachments(of: issue.objectID, in: table.name).map(\.id)
    for id in Set(edited + present) { try rows.makeNew(id, of: files) }
  }

  /// What was done here to the feature of an issue; `nil` if nothing is left of that.
  private func change(
    of issue: SyncIssue, in table: EditedTable
  ) throws(FeatureEditError) -> LocalChange? {
    try editing.localChanges().changes.first {
      $0.table.isSameName(as: table.name) && $0.objectID == issue.objectID
    }
  }

  private func giveUp(
    _ issue: SyncIssue, _ edit: LocalChange?, _ table: EditedTable, _ rows: SyncRows
  ) throws(FeatureEditError) {
    try rows.revert(issue.objectID, of: table)
    // The attachments of a new feature go with it; those that went with one come back with it.
    if let edit, edit.kind == .add || edit.kind == .delete || issue.isGoneThere,
      let files = try attachments(of: table)
    {
      for file in edit.attachments { try rows.revert(file.id, of: files) }
    }
    guard issue.kind == .conflict else { return }
    guard !issue.isGoneThere else {
      if let objectID = try rows.objectID(of: issue.globalID, in: table) {
        try rows.delete(objectID, from: table)
      }
      return
    }
    guard let feature = try theirs(issue, table) else { return }
    _ = try rows.put(feature, issue.globalID, in: table)
  }

  private func theirs(
    _ issue: SyncIssue, _ table: EditedTable
  ) throws(FeatureEditError) -> Feature? {
    guard let json = issue.theirs?.json else { return nil }
    var shape: Geometry?
    if let geometry = json["geometry"], !geometry.isNull {
      do { shape = try Geometry(esriJSON: geometry) } catch {
        throw .damaged(
          file: file.path, place: "the conflict \(issue.id)", reason: error.localizedDescription)
      }
    }
    let fields = FieldList(table.schema.fields)
    return Feature(
      objectID: 0, attributes: Attributes(esriJSON: json["attributes"], fields: fields),
      geometry: shape)
  }
}
