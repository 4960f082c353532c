internal import PortolanFeatures

/// What the file cannot hold.
extension ReceivedLayer {
  /// Writes what the file could not hold before, unless the service has sent it again.
  func tryAgain(
    besides part: GeodatabaseDelta.Layer?, _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    let sent = (part?.adds ?? []) + (part?.updates ?? [])
    let known = Set(
      (sent.compactMap { $0.attributes.globalID(table.schema) } + (part?.deletes ?? []))
        .map(\.plainID))
    for issue in issues.all where issue.kind == .unstorable && issue.layerID == layer.layerID {
      guard !known.contains(issue.globalID.plainID), let feature = issue.withheld else { continue }
      try receive(feature, issue.globalID, &receipt)
    }
  }

  /// Adds attachments to features that the file can hold by now.
  func tryFilesAgain(_ receipt: inout SyncReceipt) throws(FeatureEditError) {
    for entry in withheld.entries(ofLayer: layer.layerID)
    where issues[layer.layerID, entry.parent]?.kind != .unstorable {
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
    guard let edit, issue.attachments != nil else { return }
    var rest = SyncIssue(edit, layer, theirs: nil, in: table)
    rest.isGoneThere = false
    rest.attachments = issue.attachments
    try issues.put(rest)
  }

  /// Keeps a feature beside the others, by its name, until the file can hold it.
  func withhold(
    _ feature: Feature, _ id: String, because error: FeatureEditError,
    _ receipt: inout SyncReceipt
  ) throws(FeatureEditError) {
    receipt.withheld += 1
    let issue = SyncIssue(
      withholding: feature, id, at: try rows.objectID(of: id, in: table), layer, in: table,
      because: error)
    // One that is listed already keeps its number.
    if let known = issues[layer.layerID, id], known.kind == .unstorable,
      known.withheld == feature, known.objectID == issue.objectID
    {
      return
    }
    try issues.put(issue)
  }
}
