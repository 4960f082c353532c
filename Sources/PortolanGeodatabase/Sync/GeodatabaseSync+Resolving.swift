internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

extension GeodatabaseSync {
  /// Settles what the user has decided on.
  ///
  /// What belongs together with the feature is decided with it.
  ///
  /// - Throws: `noSuchRow` if there is no such issue, `conflictChanged` if the decision was about other edits.
  func resolve(
    _ id: SyncIssue.ID, as resolution: SyncIssue.Resolution, ifStill seen: SettledEdits? = nil
  ) throws(FeatureEditError) {
    try editing.rewriting { () throws(FeatureEditError) in
      try check(id, seen)
      try settle(id, resolution)
    }
  }

  /// Changes the feature of an edit that could not be exchanged, and has it sent as it then is.
  ///
  /// - Throws: `noSuchRow` if there is no such issue, or no such feature any more, `conflictChanged` if the
  ///   decision was about other edits; nothing has changed then.
  func resolve(
    _ id: SyncIssue.ID, changing attributes: [String: AttributeValue],
    ifStill seen: SettledEdits? = nil
  ) throws(FeatureEditError) {
    let issue = try issue(id, in: SyncIssueList(store))
    let change = FeatureEdit.update(
      .objectID(issue.objectID), table: issue.table, attributes: attributes, geometry: .keep)
    try editing.apply(
      [change], after: { () throws(FeatureEditError) in try check(id, seen) },
      with: { () throws(FeatureEditError) in try settle(id, .mine) })
  }

  private func settle(
    _ id: SyncIssue.ID, _ resolution: SyncIssue.Resolution
  ) throws(FeatureEditError) {
    let issues = try SyncIssueList(store)
    let decision = try SyncDecision(self, issues)
    try decision.settle(try issue(id, in: issues), resolution)
    try finish(decision.rows)
  }

  private func issue(
    _ id: SyncIssue.ID, in issues: SyncIssueList
  ) throws(FeatureEditError) -> SyncIssue {
    guard let issue = issues.all.first(where: { $0.id == id }) else {
      throw .noSuchRow(objectID: id, EditPlace(table: "the conflicts"))
    }
    return issue
  }

  /// Which features belong together.
  func families(
    _ changes: [LocalChange], _ issues: [SyncIssue], _ since: Double
  ) throws(FeatureEditError) -> SyncFamilies {
    try SyncFamilies(
      SyncFamilies.Source(
        tables: try tables(try requiredState()).map(\.table), changes: changes,
        lost: Set(issues.filter(\.isGoneThere).map(SyncRow.init)),
        contested: Set(issues.filter(\.isAboutWhatTheServiceHas).map(SyncRow.init)),
        withheld: issues.filter { $0.goesWith == nil }.compactMap { issue in
          issue.withheld.map { (SyncRow(issue), $0) }
        },
        keys: SyncKeys(file: file, since: since)))
  }
}

/// Carries out what the user has decided about edits that could not be exchanged.
struct SyncDecision {
  let sync: GeodatabaseSync
  let issues: SyncIssueList
  let rows: SyncRows
  let changes: [SyncRow: LocalChange]
  let issuesByRow: [SyncRow: SyncIssue]
  /// What the file cannot hold.
  let withheldByRow: [SyncRow: SyncIssue]
  let families: SyncFamilies

  init(_ sync: GeodatabaseSync, _ issues: SyncIssueList) throws(FeatureEditError) {
    self.sync = sync
    self.issues = issues
    rows = try SyncRows(sync.file)
    let changes = try sync.editing.localChanges().changes
    families = try sync.families(changes, issues.all, rows.since)
    self.changes = Dictionary(
      changes.map { (SyncRow($0), $0) }, uniquingKeysWith: { first, _ in first })
    // What the file cannot hold is decided on by itself: other decisions do not make it go away.
    issuesByRow = Dictionary(
      issues.all.filter { $0.kind != .unstorable }.map { (SyncRow($0), $0) },
      uniquingKeysWith: { first, _ in first })
    withheldByRow = Dictionary(
      issues.all.filter(\.isAboutWithheldFeature).map { (SyncRow($0), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  func settle(
    _ issue: SyncIssue, _ resolution: SyncIssue.Resolution
  ) throws(FeatureEditError) {
    guard issue.kind != .unstorable else { return try settleUnstorable(issue, resolution) }
    let members = members(settledWith: issue)
    switch resolution {
    case .mine:
      for member in members {
        if let own = issuesByRow[member] {
          try keep(own, changes[member], try sync.file.table(member.table))
          try issues.remove(own)
        }
        // The user knows that the deletion of what it is a part of takes it along.
        if let withheld = withheldByRow[member] { _ = try letGo(withheld) }
      }
    case .theirs: try discard(members)
    }
  }

  /// Gives up the edits of features that belong together for what the service has.
  func discard(_ members: [SyncRow]) throws(FeatureEditError) {
    try restoreKeys(emptiedBy: Set(members))
    for member in members {
      let own = issuesByRow[member]
      try discard(own, changes[member], member.objectID, try sync.file.table(member.table))
      if let own { try issues.remove(own) }
    }
    for member in members where changes[member]?.kind == .delete {
      try restorePairs(of: member, try sync.file.table(member.table))
    }
    try keepFromGoing(with: members)
  }

  /// The features that are decided on with an issue, its own included.
  ///
  /// Related rows of which the file cannot hold what others have made of them, and that are still here, are
  /// decided on by themselves.
  func members(settledWith issue: SyncIssue) -> [SyncRow] {
    let row = SyncRow(issue)
    guard !issue.isAboutWithheldAttachments else { return [row] }
    return families.members(of: row).filter { member in
      member == row || withheldByRow[member] == nil || changes[member]?.kind != .update
    }.sorted { ($0.table, $0.objectID) < ($1.table, $1.objectID) }
  }

  // MARK: - Mine

  private func keep(
    _ issue: SyncIssue, _ change: LocalChange?, _ table: EditedTable
  ) throws(FeatureEditError) {
    if issue.isGoneThere {
      try makeNew(issue, change, table)
    } else if change == nil, issue.kind == .conflict {
      // If nothing is left that could be sent, what others have written is still to come in.
      try discard(issue, nil, issue.objectID, table)
    } else if change?.kind == .update {
      try takeOver(issue, table)
    }
  }

  /// Has a feature keep what was changed here, and nothing but that: the rest becomes what others have
  /// made of it, since whole rows are sent.
  private func takeOver(_ issue: SyncIssue, _ table: EditedTable) throws(FeatureEditError) {
    guard let before = issue.before, let theirs = try theirs(issue, table),
      let mine = try sync.feature(issue.objectID, in: table)
    else { return }
    let others = OthersChanges(theirs, mine: mine, before: before, in: table)
    guard !others.isEmpty else { return }
    do {
      try sync.file.attempt { () throws(FeatureEditError) in
        try rows.rows().update(
          issue.objectID, in: table.name, others.values, others.shape,
          at: EditPlace(table: table.name, objectID: issue.objectID))
      }
    } catch {
      // What the file cannot hold is not taken over.
      guard error.isAboutRow else { throw error }
    }
  }

  /// Has a feature that the service has no more count as a new one there, with all its attachments.
  private func makeNew(
    _ issue: SyncIssue, _ change: LocalChange?, _ table: EditedTable
  ) throws(FeatureEditError) {
    let edited = change?.attachments.map(\.id) ?? []
    try rows.makeNew(issue.objectID, of: table)
    guard let files = try sync.attachments(of: table) else { return }
    let present = try rows.rows().attachments(of: issue.objectID, in: table.name).map(\.id)
    for id in Set(edited + present) { try rows.makeNew(id, of: files) }
  }

  // MARK: - Theirs

  func discard(
    _ issue: SyncIssue?, _ edit: LocalChange?, _ objectID: Int64, _ table: EditedTable
  ) throws(FeatureEditError) {
    try discardAttachments(issue, edit, table)
    // What others have left alone is still an edit.
    guard issue?.isAboutAttachmentsAlone != true else { return }
    try rows.revert(objectID, of: table)
    guard let issue, issue.kind == .conflict else { return }
    guard !issue.isGoneThere else {
      if let objectID = try rows.objectID(of: issue.globalID, in: table) {
        try rows.delete(objectID, from: table)
      }
      return
    }
    guard let feature = try theirs(issue, table) else { return }
    _ = try rows.put(feature, issue.globalID, in: table)
  }

  /// Discards the local changes of a feature's attachments: those of a new feature are removed with
  /// it, those of a deleted one come back with it, and those that both sides have changed become
  /// what others have made of them.
  private func discardAttachments(
    _ issue: SyncIssue?, _ edit: LocalChange?, _ table: EditedTable
  ) throws(FeatureEditError) {
    guard let edit, let files = try sync.attachments(of: table) else { return }
    let isWhole = edit.kind == .add || edit.kind == .delete || issue?.isGoneThere == true
    let contested = Set((issue?.attachments ?? []).map(\.plainID))
    for file in edit.attachments
    where isWhole || file.globalID.map({ contested.contains($0.plainID) }) ?? false {
      try rows.revert(file.id, of: files)
    }
  }

  /// Has features relate again to one that comes back.
  private func restoreKeys(emptiedBy parents: Set<SyncRow>) throws(FeatureEditError) {
    for entry in families.emptied where parents.contains(entry.parent) {
      let table = try sync.file.table(entry.row.table)
      if let column = entry.column {
        try rows.restore(column, of: entry.row.objectID, in: table)
      } else if !families.emptied.contains(where: {
        $0.row == entry.row && !parents.contains($0.parent)
      }) {
        // A pair with one that stays deleted goes with that.
        try rows.revert(entry.row.objectID, of: table)
      }
    }
  }

  /// Brings back the pairs that went with a feature, where no service knows the table between the two.
  func restorePairs(
    of member: SyncRow, _ table: EditedTable
  ) throws(FeatureEditError) {
    let listed = try sync.tables(try sync.requiredState()).map(\.table)
    for relation in table.schema.relationships {
      guard let join = relation.joinTable, !listed.contains(where: { $0.isNamed(join.name) }) else {
        continue
      }
      try rows.restorePairs(of: member.objectID, in: table, relation, join)
    }
  }

  private func theirs(
    _ issue: SyncIssue, _ table: EditedTable
  ) throws(FeatureEditError) -> Feature? {
    guard let json = issue.theirs?.json else { return nil }
    var shape: Geometry?
    if let geometry = json["geometry"], !geometry.isNull {
      do { shape = try Geometry(esriJSON: geometry) } catch {
        throw .damaged(
          file: sync.file.path, place: "the conflict \(issue.id)",
          reason: error.localizedDescription)
      }
    }
    let fields = FieldList(table.schema.fields)
    return Feature(
      objectID: 0, attributes: Attributes(esriJSON: json["attributes"], fields: fields),
      geometry: shape)
  }
}
