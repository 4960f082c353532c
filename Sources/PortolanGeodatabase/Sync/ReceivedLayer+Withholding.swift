internal import PortolanFeatures

/// What the file cannot hold.
extension ReceivedLayer {
  /// Writes what the file could not hold before, unless the service has sent it again.
  func tryAgain(
    besides part: ReceivedPart?, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    // What goes with a deletion would be there without the feature that it is a part of.
    let waiting = issues.all.filter {
      $0.kind == .unstorable && $0.layerID == layer.layerID && $0.isIncomplete != true
        && $0.goesWith == nil
    }
    let ids = Set(waiting.map(\.globalID.plainID))
    let gone = Set((part?.deletes ?? []).map(\.plainID))
    let sent = try part?.ids(ids, ofRowsIn: table) ?? []
    for issue in waiting {
      let id = issue.globalID.plainID
      guard !sent.contains(id), !gone.contains(id), let feature = issue.withheld else { continue }
      try receive(feature, issue.globalID, &receipt)
    }
  }

  /// Adds attachments that the file can hold by now, with their features.
  ///
  /// - Parameters:
  ///   - part: What the service has sent; what has just been refused is not tried again.
  ///   - receipt: What has come in.
  /// - Throws: What is wrong with the file.
  func tryFilesAgain(
    besides part: ReceivedPart?, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    let entries = withheld.entries(ofLayer: layer.layerID)
    let known = try part?.fileIDs(among: Set(entries.map(\.attachment.plainID))) ?? []
    if !entries.isEmpty, try sync.attachments(of: table) == nil {
      // They stay where they are, and are reported again.
      receipt.withheld += entries.count { !known.contains($0.attachment.plainID) }
      return
    }
    for entry in entries {
      if let issue = issues[layer.layerID, entry.parent] {
        guard !issue.isAboutWithheldFeature else { continue }
        if issue.isAboutWithheldAttachments, known.contains(entry.attachment.plainID) { continue }
      }
      let file = try withheld.file(entry)
      try withheld.remove(entry)
      if let file { try receive(file, &receipt) }
    }
  }

  /// Takes a feature off the list that the file holds by now; what others have done to its attachments
  /// may still be to be decided on.
  func settleUnstorable(_ id: String, _ edit: LocalChange?) throws(FeatureEditError) {
    guard let issue = issues[layer.layerID, id], issue.kind == .unstorable else { return }
    try issues.remove(issue)
    guard let edit, issue.attachments != nil, !issue.isAboutWithheldAttachments else { return }
    var rest = SyncIssue(edit, layer, theirs: nil, in: table)
    rest.isGoneThere = false
    rest.attachments = issue.attachments
    rest.removedAttachments = issue.removedAttachments
    try issues.put(rest)
  }

  /// Keeps a feature beside the others, by its name, until the file can hold it.
  func withhold(
    _ feature: Feature, _ id: String, because reason: String?, isIncomplete: Bool = false,
    _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    receipt.withheld += 1
    var issue = SyncIssue(
      withholding: feature, id, at: try rows.objectID(of: id, in: table), layer, in: table,
      because: reason)
    if isIncomplete { issue.isIncomplete = true }
    // One that is listed already keeps its number.
    if let known = issues[layer.layerID, id], known.kind == .unstorable,
      known.withheld == feature, known.objectID == issue.objectID,
      known.isIncomplete == issue.isIncomplete
    {
      return
    }
    try issues.put(issue)
  }

  /// Keeps what could be read of a feature, until its service is asked for the whole.
  func withhold(
    _ row: GeodatabaseDelta.IncompleteRow, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    let id = try globalID(of: row.feature)
    try withhold(
      row.feature, id, because: "Its shape came damaged: \(row.reason).", isIncomplete: true,
      &receipt)
  }

  /// Keeps an attachment beside the others until the file can hold it.
  func withhold(
    _ file: GeodatabaseDelta.File, _ id: String, because error: FeatureEditError,
    _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    receipt.withheld += 1
    try withheld.put(file, layer.layerID)
    let parent = file.parentGlobalID
    let known = issues[layer.layerID, parent]
    // What is to be decided on about the feature comes first.
    guard known?.isAboutWithheldAttachments ?? true,
      !(known?.attachments ?? []).contains(where: id.isSameID(as:))
    else { return }
    var issue = SyncIssue(
      withholding: id, of: parent, at: try rows.objectID(of: parent, in: table), layer, in: table,
      because: error)
    issue.attachments = Set((known?.attachments ?? []) + [id]).sorted()
    try issues.put(issue)
  }

  /// Keeps an attachment that has come for a table without attachments, or without a history of them, unless
  /// none are wanted here.
  func withhold(
    _ file: GeodatabaseDelta.File, _ id: String, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    let parent = file.parentGlobalID
    let isHere = try rows.objectID(of: parent, in: table) != nil
    let isWaiting = issues[layer.layerID, parent]?.isAboutWithheldFeature == true
    guard isHere || isWaiting || edits[parent.plainID] != nil, try sync.exchangesAttachments()
    else { return }
    let reason: FeatureEditError =
      table.schema.hasAttachments
      ? .tableNotEditable(table: table.name, reason: "its attachments keep no history")
      : .noAttachments(EditPlace(table: table.name))
    try withhold(file, id, because: reason, &receipt)
  }

  /// Takes an attachment off the list that the file holds by now, or that is gone.
  ///
  /// - Parameters:
  ///   - id: The attachment everywhere.
  ///   - parent: Its feature, if that is known.
  /// - Throws: What is wrong with the file.
  func settleFile(_ id: String, of parent: String? = nil) throws(FeatureEditError) {
    let known = parent.map { [issues[layer.layerID, $0]].compactMap(\.self) } ?? issues.all
    for issue in known where issue.isAboutWithheldAttachments && issue.layerID == layer.layerID {
      let rest = (issue.attachments ?? []).filter { !id.isSameID(as: $0) }
      guard rest.count < (issue.attachments ?? []).count else { continue }
      try issues.remove(issue)
      guard !rest.isEmpty else { continue }
      var left = issue
      left.attachments = rest
      try issues.put(left)
    }
  }
}
