internal import PortolanFeatures

/// The edits that could not be exchanged, during a transaction: each feature has one at most.
final class SyncIssueList {
  private let store: SyncStore
  private var byFeature: [Key: SyncIssue] = [:]

  private struct Key: Hashable {
    let layerID: Int
    let globalID: String

    init(_ layerID: Int, _ globalID: String) {
      self.layerID = layerID
      self.globalID = globalID.plainID
    }
  }

  init(_ store: SyncStore) throws(FeatureEditError) {
    self.store = store
    for issue in try store.all() { byFeature[Key(issue.layerID, issue.globalID)] = issue }
  }

  /// The issues in the order of their numbers.
  var all: [SyncIssue] { byFeature.values.sorted { $0.id < $1.id } }

  /// Whether there are features of a layer that the file could not hold.
  func hasUnstorable(ofLayer layerID: Int) -> Bool {
    byFeature.values.contains { $0.kind == .unstorable && $0.layerID == layerID }
  }

  /// The issue of a feature.
  subscript(layerID: Int, globalID: String) -> SyncIssue? {
    byFeature.isEmpty ? nil : byFeature[Key(layerID, globalID)]
  }

  /// Adds an issue, in place of one about the same feature.
  ///
  /// What others have done to its attachments is still to be decided on then.
  func put(_ issue: SyncIssue) throws(FeatureEditError) {
    var issue = issue
    if let other = self[issue.layerID, issue.globalID] {
      // Attachments that the file cannot hold wait elsewhere.
      let others = other.isAboutWithheldAttachments ? [] : other.attachments ?? []
      let attachments = others + (issue.attachments ?? [])
      issue.attachments = attachments.isEmpty ? nil : Set(attachments).sorted()
      let removed = (other.isAboutWithheldAttachments ? nil : other.removedAttachments) ?? [:]
      let allRemoved = removed.merging(issue.removedAttachments ?? [:]) { $1 }
      issue.removedAttachments = allRemoved.isEmpty ? nil : allRemoved
      // People name it by its number, which stays as long as it says the same.
      issue.id = other.id
      guard issue != other else { return }
      try store.remove(other.id)
    }
    issue.id = try store.add(issue)
    byFeature[Key(issue.layerID, issue.globalID)] = issue
  }

  func remove(_ issue: SyncIssue) throws(FeatureEditError) {
    let key = Key(issue.layerID, issue.globalID)
    // It may have been listed anew since, under another number.
    try store.remove(byFeature[key]?.id ?? issue.id)
    byFeature[key] = nil
  }
}
