internal import PortolanFeatures

/// Decisions on what the file cannot hold.
extension SyncDecision {
  /// Sends an edit over what the file cannot hold, or tries once more to write that.
  func settleUnstorable(
    _ issue: SyncIssue, _ resolution: SyncIssue.Resolution
  ) throws(FeatureEditError) {
    switch resolution {
    case .mine: try sendOver(issue)
    case .theirs: try write(issue)
    }
  }

  private func sendOver(_ issue: SyncIssue) throws(FeatureEditError) {
    let change = changes[SyncRow(issue)]
    // Where a deletion takes it along it is not forgotten before that has arrived.
    if change?.kind == nil || change?.kind == .delete, try letGo(issue) { return }
    guard change?.kind != nil || (change != nil && issue.isAboutWithheldAttachments) else {
      throw .refused(
        file: sync.file.path, reason: "nothing was edited here that could be sent instead",
        EditPlace(table: issue.table))
    }
    try issues.remove(issue)
  }

  /// Writes what others have made of a feature, and restores what was deleted here with it; where the file still
  /// cannot hold it, and it was not edited otherwise, it stays listed then.
  private func write(_ issue: SyncIssue) throws(FeatureEditError) {
    let (row, table) = (SyncRow(issue), try sync.file.table(issue.table))
    let (members, change) = (members(settledWith: issue), changes[row])
    let restores = members.contains { changes[$0]?.kind == .delete }
    let refusal = FeatureEditError.refused(
      file: sync.file.path, reason: issue.reason ?? "the file cannot hold it",
      EditPlace(table: table.name))
    // It is asked for again, or is not known.
    let feature = issue.isIncomplete == true ? nil : issue.withheld
    guard feature != nil || restores && !issue.isAboutWithheldAttachments else { throw refusal }
    try discard(members.filter { $0 != row })
    var isEdited = change?.kind != .delete
    if isEdited { isEdited = try rows.isEdited(issue.objectID, in: table) }
    guard feature != nil || !isEdited else { throw refusal }
    if let change { try discard(issue, change, issue.objectID, table) }
    if change?.kind == .delete { try restorePairs(of: row, table) }
    guard let feature else { return }
    do {
      try sync.file.attempt { () throws(FeatureEditError) in
        _ = try rows.put(feature, issue.globalID, in: table)
      }
    } catch {
      guard error.isAboutRow, restores, !isEdited else { throw error }
      return
    }
    try issues.remove(issue)
  }

  // MARK: - Parts of what was deleted

  /// Has a feature go with one that was deleted here and that it is a part of.
  ///
  /// It stays listed until the service has deleted that one.
  ///
  /// - Returns: Whether there is one.
  func letGo(_ issue: SyncIssue) throws(FeatureEditError) -> Bool {
    guard let parent = families.takenAlong[SyncRow(issue)], let id = changes[parent]?.globalID
    else { return false }
    var rest = issue
    rest.goesWith = id
    try issues.put(rest)
    return true
  }

  /// Has no feature go with one that is restored: to delete that again is another decision.
  func keepFromGoing(with members: [SyncRow]) throws(FeatureEditError) {
    let ids = Set(members.compactMap { changes[$0]?.globalID?.plainID })
    for var issue in issues.all where issue.goesWith.map({ ids.contains($0.plainID) }) ?? false {
      issue.goesWith = nil
      try issues.put(issue)
    }
  }
}

extension SyncIssueList {
  /// Forgets features that the file cannot hold and that a service has deleted with others.
  ///
  /// - Parameter deleted: The others, by their global ids.
  /// - Returns: Whether there were any: their own deletions, if they were here, are sent from now on.
  /// - Throws: What is wrong with the file.
  func removeGone(with deleted: [String]) throws(FeatureEditError) -> Bool {
    guard !deleted.isEmpty else { return false }
    let ids = Set(deleted.map(\.plainID))
    let gone = all.filter { issue in issue.goesWith.map { ids.contains($0.plainID) } ?? false }
    for issue in gone { try remove(issue) }
    return !gone.isEmpty
  }
}
