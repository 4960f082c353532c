internal import PortolanFeatures

/// Assigns the results in a service's response to edits, by global id and else by order.
struct EditResults {
  enum Outcome {
    case accepted
    case refused(code: Int, reason: String)

    var isAccepted: Bool { if case .accepted = self { true } else { false } }
  }

  /// The number by which services say that what is to be removed is not there.
  private static let absent = 1019

  /// The edits of a kind in a layer.
  private struct List: Hashable {
    let layerID: Int
    let kind: String

    init(_ edit: SyncUpload.Edit) {
      layerID = edit.layerID
      kind = edit.kind
    }

    init(_ result: GeodatabaseDelta.EditResult) {
      layerID = result.layerID
      kind = result.kind.rawValue
    }
  }

  /// An edit of a feature or attachment.
  private struct Key: Hashable {
    let list: List
    /// The global id, as a key.
    let id: String

    init(_ list: List, _ globalID: String) {
      self.list = list
      id = globalID.plainID
    }

    init(_ edit: SyncUpload.Edit) { self.init(List(edit), edit.globalID) }
  }

  private var byID: [Key: GeodatabaseDelta.EditResult] = [:]
  private var byPlace: [Key: GeodatabaseDelta.EditResult] = [:]
  /// What is said of attachments, by their global ids.
  private var files: [Key: GeodatabaseDelta.EditResult] = [:]
  /// The features that were sent.
  private let features: Set<Key>
  /// Whether what is not listed has arrived.
  private let isCertain: Bool

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - edits: What was sent.
  ///   - results: What the service says about it.
  ///   - isCertain: Whether the service has ended without errors.
  init(
    _ edits: [SyncUpload.Edit], _ results: [GeodatabaseDelta.EditResult], isCertain: Bool
  ) {
    features = Set(edits.filter { $0.attachmentID == nil }.map { Key($0) })
    for result in results where result.isAttachment {
      guard let id = result.globalID else { continue }
      let key = Key(List(result), id)
      if files[key]?.isSuccess ?? true { files[key] = result }
    }
    let results = results.filter { !$0.isAttachment }
    // A service that says nothing of any feature has not carried out the upload.
    self.isCertain = isCertain && (features.isEmpty || !results.isEmpty)
    let sent = Dictionary(grouping: edits.filter { $0.attachmentID == nil }) { List($0) }
    for (list, own) in Dictionary(grouping: results, by: { List($0) }) {
      for result in own {
        guard let id = result.globalID else { continue }
        let key = Key(list, id)
        // An edit that is refused and carried out at once stays here.
        if byID[key]?.isSuccess ?? true { byID[key] = result }
      }
      guard let sent = sent[list], Self.isInOrder(own, sent) else { continue }
      for (edit, result) in zip(sent, own) where result.globalID == nil {
        byPlace[Key(edit)] = result
      }
    }
  }

  /// Whether results are as many as the edits, and come in their order as far as they name them: else those
  /// that name none are of any of them.
  private static func isInOrder(
    _ results: [GeodatabaseDelta.EditResult], _ edits: [SyncUpload.Edit]
  ) -> Bool {
    results.count == edits.count
      && zip(results, edits).allSatisfy { result, edit in
        result.globalID.map { $0.isSameID(as: edit.globalID) } ?? true
      }
  }

  /// The result of an edit; `nil` if the service does not say.
  func outcome(of edit: SyncUpload.Edit) -> Outcome? {
    guard edit.attachmentID == nil else { return attachmentOutcome(edit) }
    return result(of: Key(edit)).map { Self.outcome(of: edit, $0) }
  }

  private static func outcome(
    of edit: SyncUpload.Edit, _ result: GeodatabaseDelta.EditResult
  ) -> Outcome {
    let isGone = edit.kind == LocalChange.Kind.delete.rawValue && result.code == absent
    guard !result.isSuccess, !isGone else { return .accepted }
    return .refused(code: result.code, reason: result.reason)
  }

  private func result(of key: Key) -> GeodatabaseDelta.EditResult? { byID[key] ?? byPlace[key] }

  /// Where nothing is said of an attachment, it is treated as the feature that was sent with it.
  private func attachmentOutcome(_ edit: SyncUpload.Edit) -> Outcome? {
    if let id = edit.attachmentGlobalID, let result = files[Key(List(edit), id)] {
      return Self.outcome(of: edit, result)
    }
    guard isCertain else { return nil }
    for kind in [LocalChange.Kind.add, .update] {
      var feature = edit
      feature.kind = kind.rawValue
      let key = Key(feature)
      guard features.contains(key) else { continue }
      guard let result = result(of: key), result.isSuccess else { return nil }
    }
    return .accepted
  }
}
