internal import Foundation
internal import PortolanFeatures

// What becomes of an upload, and of the moment of the last synchronization.
extension GeodatabaseSync {
  /// Takes what a service has received for synchronized, and lists what it has refused.
  ///
  /// An edit of which the service says nothing stays as it is, and is sent again.
  ///
  /// - Returns: How many edits the service has.
  func finish(
    _ upload: PendingUpload, _ results: [GeodatabaseDelta.EditResult], isCertain: Bool
  ) throws(FeatureEditError) -> SentEdits {
    // Changed in its place: it may be large.
    var plan: UploadPlan?
    let accepted = try editing.rewriting(keepingPlan: true) { () throws(FeatureEditError) in
      plan = editing.takeUploadPlan()
      if plan?.isSource(of: upload) == false { plan = nil }
      let rows = try SyncRows(file)
      let issues = try SyncIssueList(store)
      let matcher = EditResults(upload.edits, results, isCertain: isCertain)
      let files = try filesOfDeleted(in: upload, plan)
      let deleted = upload.edits.filter { edit in
        edit.isDeletionOfFeature && matcher.outcome(of: edit)?.isAccepted == true
      }
      try rows.emptyKeys(ofDeleted: deleted, plan, self)
      if try issues.removeGone(with: deleted.map(\.globalID)) { plan = nil }
      Self.settle(upload, in: &plan, issues, matcher)
      var accepted = SentEdits()
      var outcomes: [(edit: SyncUpload.Edit, isAccepted: Bool)] = []
      for edit in upload.edits {
        let outcome = matcher.outcome(of: edit)
        outcomes.append((edit, outcome?.isAccepted ?? false))
        switch outcome {
        case nil: continue
        case .accepted:
          let row = SyncRow(edit.table, edit.objectID)
          try settle(edit, files[row] ?? [], of: upload, rows)
          accepted.add(toLayer: edit.layerID, isAttachment: edit.attachmentID != nil)
        case .refused(let code, let reason):
          // Why the feature was refused says more than that its attachments were.
          let known = issues[edit.layerID, edit.globalID]
          guard edit.attachmentID == nil || known?.kind != .rejected else { continue }
          try issues.put(Self.issue(edit, code, reason))
        }
      }
      try noteLacking(after: outcomes)
      try store.setPending(nil)
      try finish(rows)
      return accepted
    }
    // It holds from now on, since the transaction has succeeded.
    editing.uploadPlan = plan
    return accepted
  }

  /// Takes out of a plan what a service has answered; it is `nil` afterwards if it holds no longer.
  private static func settle(
    _ upload: PendingUpload, in plan: inout UploadPlan?, _ issues: SyncIssueList,
    _ matcher: EditResults
  ) {
    guard plan != nil else { return }
    var (accepted, refused): ([SyncUpload.Edit], [SyncUpload.Edit]) = ([], [])
    for edit in upload.edits {
      switch matcher.outcome(of: edit) {
      case nil: continue
      case .accepted: accepted.append(edit)
      case .refused: refused.append(edit)
      }
    }
    plan?.settle(accepted)
    // What was listed before may hold back more.
    let isNew = refused.allSatisfy { issues[$0.layerID, $0.globalID] == nil }
    guard isNew, plan?.refuse(refused) == true else {
      plan = nil
      return
    }
  }

  /// The attachments that were deleted with the features whose deletion was sent.
  private func filesOfDeleted(
    in upload: PendingUpload, _ plan: UploadPlan?
  ) throws(FeatureEditError) -> [SyncRow: [Attachment.ID]] {
    guard upload.edits.contains(where: \.isDeletionOfFeature) else { return [:] }
    if let plan { return plan.filesOfDeleted(in: upload) }
    var files: [SyncRow: [Attachment.ID]] = [:]
    for change in try editing.localChanges().changes where change.kind == .delete {
      files[SyncRow(change)] = change.attachments.map(\.id)
    }
    return files
  }

  /// Notes when everything was synchronized, if there is no edit left.
  ///
  /// How far the histories go is noted besides: the clock may be wrong. Where it was set back since, they are
  /// dated back as well, so that what other programs edit from now on is later than all that is there.
  func noteSync(at date: Date) throws(FeatureEditError) {
    try editing.rewriting { () throws(FeatureEditError) in
      let changes = try editing.localChanges()
      // The definition has whole seconds.
      let today = JulianDay.day(
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)))
      // A clock before all clocks is none.
      guard changes.changes.isEmpty, today > JulianDay.beginningOfTime else { return }
      let rows = try SyncRows(file)
      var day = max(rows.since, try SyncRows.lastMoment(in: file))
      if day > today + Self.longestLead, try rows.dateBack(to: today) {
        day = today
        try finish(rows)
      }
      // What cannot be dated back would be edits of later for other programs.
      let stays = day > today + Self.longestLead && changes.lastSync.map { $0 > date } ?? false
      if !stays { try update { $0.setLastSync(date) } }
      guard let lastSync = try LocalHistory(file).lastSync() else { return }
      try store.setSynced(SyncedMoment(lastSync: lastSync, day: day))
    }
  }

  /// By how much of a day the histories may be ahead of the clock: two transactions are never at the same
  /// moment, and other devices have other clocks.
  private static let longestLead = 1.0 / 1_440

  private func settle(
    _ edit: SyncUpload.Edit, _ files: [Attachment.ID], of upload: PendingUpload, _ rows: SyncRows
  ) throws(FeatureEditError) {
    let isDeletion = edit.kind == LocalChange.Kind.delete.rawValue
    func settleRow(_ id: Int64, of table: EditedTable) throws(FeatureEditError) {
      if let last = upload.lastRows?[table.storage.name] {
        let isKnown = try rows.keepLaterEdits(
          of: id, in: table, after: last, at: upload.moment, wasDeleted: isDeletion)
        guard isKnown else { return }
      }
      try rows.settle(id, of: table, upTo: upload.moment)
    }
    let table = try file.table(edit.table)
    let ids = edit.attachmentID.map { [$0] } ?? (edit.isDeletionOfFeature ? files : [])
    if !ids.isEmpty, let attachments = try attachments(of: table) {
      for id in ids { try settleRow(id, of: attachments) }
    }
    guard edit.attachmentID == nil else { return }
    try settleRow(edit.objectID, of: table)
  }

  private static func issue(_ edit: SyncUpload.Edit, _ code: Int, _ reason: String) -> SyncIssue {
    var issue = SyncIssue(
      id: 0, kind: .rejected, table: edit.table, layerID: edit.layerID, objectID: edit.objectID,
      globalID: edit.globalID,
      edit: edit.attachmentID == nil ? edit.kind : SyncIssue.attachmentEdit, theirs: nil,
      isGoneThere: false, code: code, reason: reason)
    issue.attachments = edit.attachmentGlobalID.map { [$0] }
    return issue
  }
}
