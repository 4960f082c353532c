internal import PortolanFeatures

/// Finds what became of each edit in the answer of a service, by global id and else by order.
struct EditResults {
  enum Outcome {
    case accepted
    case refused(code: Int, reason: String)
  }

  /// The number by which services say that what is to be removed is not there.
  private static let absent = 1019

  private var byID: [String: GeodatabaseDelta.EditResult] = [:]
  private var byPlace: [String: GeodatabaseDelta.EditResult] = [:]
  /// What is said of attachments, by their global ids.
  private var files: [String: GeodatabaseDelta.EditResult] = [:]
  /// The features that were sent.
  private let features: Set<String>
  /// Whether what is not listed has arrived.
  private let isCertain: Bool

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - edits: What was sent.
  ///   - results: What the service says of it.
  ///   - isCertain: Whether the service has ended without errors.
  init(
    _ edits: [SyncUpload.Edit], _ results: [GeodatabaseDelta.EditResult], isCertain: Bool
  ) {
    features = Set(edits.filter { $0.attachmentID == nil }.map(Self.key))
    for result in results where result.isAttachment {
      guard let id = result.globalID else { continue }
      files["\(result.layerID)/\(result.kind.rawValue)/\(id.plainID)"] = result
    }
    let results = results.filter { !$0.isAttachment }
    // A service that says nothing of any feature has not carried out the upload.
    self.isCertain = isCertain && (features.isEmpty || !results.isEmpty)
    let sent = Dictionary(grouping: edits.filter { $0.attachmentID == nil }) {
      "\($0.layerID)/\($0.kind)"
    }
    for (name, own) in Dictionary(grouping: results, by: { "\($0.layerID)/\($0.kind.rawValue)" }) {
      for result in own {
        if let id = result.globalID { byID["\(name)/\(id.plainID)"] = result }
      }
      guard let sent = sent[name], sent.count == own.count else { continue }
      for (edit, result) in zip(sent, own) where result.globalID == nil {
        byPlace["\(name)/\(edit.globalID.plainID)"] = result
      }
    }
  }

  /// What became of an edit; `nil` if the service does not say.
  func outcome(of edit: SyncUpload.Edit) -> Outcome? {
    guard edit.attachmentID == nil else { return attachmentOutcome(edit) }
    return result(of: Self.key(edit)).map { Self.outcome(of: edit, $0) }
  }

  private static func outcome(
    of edit: SyncUpload.Edit, _ result: GeodatabaseDelta.EditResult
  ) -> Outcome {
    let isGone = edit.kind == LocalChange.Kind.delete.rawValue && result.code == absent
    guard !result.isSuccess, !isGone else { return .accepted }
    return .refused(code: result.code, reason: result.reason)
  }

  private static func key(_ edit: SyncUpload.Edit) -> String {
    "\(edit.layerID)/\(edit.kind)/\(edit.globalID.plainID)"
  }

  private func result(of key: String) -> GeodatabaseDelta.EditResult? { byID[key] ?? byPlace[key] }

  /// Where nothing is said of an attachment, it fares as the feature does that was sent with it.
  private func attachmentOutcome(_ edit: SyncUpload.Edit) -> Outcome? {
    if let id = edit.attachmentGlobalID?.plainID,
      let result = files["\(edit.layerID)/\(edit.kind)/\(id)"]
    {
      return Self.outcome(of: edit, result)
    }
    guard isCertain else { return nil }
    for kind in [LocalChange.Kind.add, .update] {
      var feature = edit
      feature.kind = kind.rawValue
      let key = Self.key(feature)
      guard features.contains(key) else { continue }
      guard let result = result(of: key), result.isSuccess else { return nil }
    }
    return .accepted
  }
}
