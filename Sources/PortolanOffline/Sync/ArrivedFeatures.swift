internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanPortal

/// Finds which of the features added here a service has, after an upload whose response was lost.
struct ArrivedFeatures {
  /// Those that it has, as if it had answered so.
  private(set) var features: [GeodatabaseDelta.EditResult] = []
  /// Whether it has all the attachments that were sent with them.
  private(set) var hasAllAttachments = true

  /// Asks a service, by the global ids of the features.
  ///
  /// A layer that was removed, or does not tell, says nothing of the others.
  ///
  /// - Throws: What keeps the service from being asked; the refusal where no layer tells.
  init(of pending: PendingUpload, at service: FeatureService) async throws {
    var refusal: PortalError?
    var hasAnswer = false
    for layerID in Set(pending.edits.map(\.layerID)).sorted() {
      let own = pending.edits.filter { $0.layerID == layerID }
      do {
        try await ask(for: own, in: layerID, at: service)
        hasAnswer = true
      } catch let error as PortalError where error.refusesQuestion {
        refusal = error
        hasAllAttachments = hasAllAttachments && own.allSatisfy { $0.attachmentID == nil }
      }
    }
    if let refusal, !hasAnswer { throw refusal }
  }

  /// Asks for what was sent to a layer; notes nothing unless all of it is answered.
  private mutating func ask(
    for own: [SyncUpload.Edit], in layerID: Int, at service: FeatureService
  ) async throws {
    let table = try await service.table(layerID)
    // Attachments may go without their features, which have arrived before.
    let there = try await table.objectIDs(ofGlobalIDs: Set(own.map(\.globalID)).sorted())
    let files = Dictionary(grouping: own.filter { $0.attachmentID != nil }, by: \.globalID)
    if !files.isEmpty {
      let found = try await table.attachmentGlobalIDs(of: there.values.sorted())
      for (id, sent) in files {
        let own = there[id].flatMap { found[$0] } ?? []
        hasAllAttachments = hasAllAttachments && Self.areThere(sent, among: own)
      }
    }
    let added = Set(own.filter { $0.attachmentID == nil }.map(\.globalID))
    features += there.filter { added.contains($0.key) }.map { id, objectID in
      GeodatabaseDelta.EditResult(
        objectID: objectID, globalID: id, isSuccess: true, code: 0, reason: "", kind: .add,
        layerID: layerID)
    }
  }

  /// Whether a feature has the attachments that were sent with it: others may have given it some as well, so
  /// that their number says so only where the service does not tell which they are.
  private static func areThere(_ sent: [SyncUpload.Edit], among found: [String?]) -> Bool {
    let known = Set(found.compactMap { $0.map(plain) })
    let wanted = sent.compactMap { $0.attachmentGlobalID.map(plain) }
    guard found.allSatisfy({ $0 != nil }), wanted.count == sent.count else {
      return found.count >= sent.count
    }
    return wanted.allSatisfy(known.contains)
  }

  private static func plain(_ id: String) -> String {
    id.uppercased().filter { $0 != "{" && $0 != "}" }
  }
}

extension PendingUpload {
  /// The features that were added here, and their attachments, alone.
  var onlyNewFeatures: PendingUpload {
    var upload = self
    upload.edits = edits.onlyNewFeatures
    return upload
  }
}

extension [SyncUpload.Edit] {
  /// Those that add features, and attachments to such features.
  var onlyNewFeatures: [SyncUpload.Edit] {
    let added = filter { $0.kind == LocalChange.Kind.add.rawValue }
    let features = Set(added.filter { $0.attachmentID == nil }.map(\.globalID))
    return added.filter { features.contains($0.globalID) }
  }
}
