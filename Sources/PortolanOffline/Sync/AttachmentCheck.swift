internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanPortal

/// Finds out what became of attachments of which a service says nothing in its answer to an upload, and of
/// new ones that it refuses: it may have them from an upload whose answer was lost.
struct AttachmentCheck {
  let service: FeatureService
  /// The layers that the service has described already.
  var layers: [Int: FeatureLayerInfo] = [:]

  /// Asks the service which of the attachments it has.
  ///
  /// - Parameters:
  ///   - upload: What was sent.
  ///   - known: What the service has said.
  /// - Returns: The outcome. Nothing of those whose features have not arrived yet, nor where the
  ///   service does not tell, nor of those that it refuses and does not have.
  /// - Throws: What keeps it from being asked; it is asked again by the next synchronization then.
  func results(
    of upload: PendingUpload, _ known: [GeodatabaseDelta.EditResult]
  ) async throws -> [GeodatabaseDelta.EditResult] {
    // Ids need not be compared where there are none.
    guard upload.edits.contains(where: { $0.attachmentGlobalID != nil }) else { return [] }
    let (listed, refused) = Self.listed(in: known)
    let accepted = Set(
      known.filter { !$0.isAttachment && $0.isSuccess }.compactMap { $0.globalID.map(Self.plain) })
    let sent = Set(upload.edits.filter { $0.attachmentID == nil }.map { Self.plain($0.globalID) })
    let unknown = upload.edits.filter { edit in
      guard let id = edit.attachmentGlobalID, !listed.contains(Self.plain(id)) else { return false }
      let feature = Self.plain(edit.globalID)
      return accepted.contains(feature) || !sent.contains(feature)
    }
    var results: [GeodatabaseDelta.EditResult] = []
    for (layerID, edits) in Dictionary(grouping: unknown, by: \.layerID) {
      do {
        results += try await self.results(of: edits, in: layerID).filter { result in
          // Why it is refused says more than that it is not there.
          result.isSuccess || !refused.contains(Self.plain(result.globalID ?? ""))
        }
      } catch let error as PortalError where error.refusesQuestion {
        // The service does not tell: then they fare as their features do.
      }
    }
    return results
  }

  /// The attachments of which a service has said what became of them, and the new ones that it refuses.
  private static func listed(
    in results: [GeodatabaseDelta.EditResult]
  ) -> (known: Set<String>, refused: Set<String>) {
    var (known, refused): (Set<String>, Set<String>) = ([], [])
    for result in results where result.isAttachment {
      guard let id = result.globalID.map(plain) else { continue }
      if result.isSuccess || result.kind != .add {
        known.insert(id)
      } else {
        refused.insert(id)
      }
    }
    return (known, refused)
  }

  private func results(
    of edits: [SyncUpload.Edit], in layerID: Int
  ) async throws -> [GeodatabaseDelta.EditResult] {
    let table = try await table(layerID)
    let parents = try await table.objectIDs(ofGlobalIDs: Set(edits.map(\.globalID)).sorted())
    let found = try await table.attachmentGlobalIDs(of: parents.values.sorted())
    return edits.compactMap { edit in
      guard let id = edit.attachmentGlobalID, let kind = LocalChange.Kind(rawValue: edit.kind)
      else { return nil }
      let there = parents[edit.globalID].map { found[$0] ?? [] }
      // Some services do not say which attachments they have; then they say nothing of this one.
      guard there?.allSatisfy({ $0 != nil }) ?? true else { return nil }
      let isThere = there?.contains { $0.map(Self.plain) == Self.plain(id) } ?? false
      // Which contents it has is not known by that.
      guard kind != .update || !isThere else { return nil }
      return GeodatabaseDelta.EditResult(
        objectID: nil, globalID: id, isSuccess: isThere == (kind != .delete),
        reason: Self.reason(kind, hasFeature: there != nil), kind: kind, layerID: layerID,
        isAttachment: true)
    }
  }

  private func table(_ layerID: Int) async throws(PortalError) -> ServiceFeatureTable {
    guard let info = layers[layerID] else { return try await service.table(layerID) }
    return ServiceFeatureTable(
      url: service.url.appending(path: "\(layerID)"), info: info, client: service.client)
  }

  private static func reason(_ kind: LocalChange.Kind, hasFeature: Bool) -> String {
    guard hasFeature else { return "The service does not have the feature of the attachment." }
    return kind == .delete
      ? "The service still has the attachment." : "The service did not keep the attachment."
  }

  /// A global id as a key: capital letters without braces.
  static func plain(_ id: String) -> String {
    id.uppercased().filter { $0 != "{" && $0 != "}" }
  }
}
