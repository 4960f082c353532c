internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanPackages
internal import PortolanPortal

/// The tables of a service, whose features are requested once for each extent that is drawn.
///
/// Only what is asked for by extent and simplified for drawing is kept, until something is edited
/// here; other queries go to the service, so that a popup shows what is there now.
final class SessionFeatureStore: EditableFeatureStore, OnlineSource {
  /// The features that are kept for a service.
  private static let limit = 100_000

  private struct Key: Hashable {
    let table: String
    let query: QueryParameters
  }

  private let store: ServiceGeodatabase
  private let memory: SessionMemory<Key, [Feature], FeatureStoreError>

  init(_ store: ServiceGeodatabase) {
    self.store = store
    memory = SessionMemory(limit: Self.limit) { $0.count + 1 }
  }

  func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    guard query.extent != nil, query.maxAllowableOffset != nil else {
      return store.features(in: table, matching: query)
    }
    let (memory, store, key) = (memory, store, Key(table: table, query: query))
    return FeatureSequence { () async throws(FeatureStoreError) in
      let features = try await memory.value(for: key, orIfCancelled: .cancelled) {
        do throws(FeatureStoreError) {
          return .success(
            try await store.features(in: key.table, matching: key.query).collect())
        } catch {
          return .failure(error)
        }
      }
      let pages = FeatureList(features)
      return { () async throws(FeatureStoreError) in await pages.next() }
    }
  }

  func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    try await store.schemas()
  }

  func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    try await store.count(in: table, matching: query)
  }

  func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    try await store.extent(of: table, matching: query)
  }

  func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] {
    try await store.relatedFeatures(to: objectID, in: table, through: relationship)
  }

  func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    try await store.attachments(of: objectID, in: table)
  }

  func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data {
    try await store.data(of: attachment, in: table)
  }

  // MARK: - Editing

  func apply(
    _ edits: [FeatureEdit]
  ) async throws(FeatureEditError) -> [FeatureEditResult] {
    // Also an edit that failed may have arrived.
    do throws(FeatureEditError) {
      let results = try await store.apply(edits)
      await memory.forgetAll()
      return results
    } catch {
      await memory.forgetAll()
      throw error
    }
  }

  func undo() async throws(FeatureEditError) -> [LocalChange] {
    let changes = try await store.undo()
    await memory.forgetAll()
    return changes
  }

  func undoCount() async -> Int { await store.undoCount() }

  func localChanges() async throws(FeatureEditError) -> LocalChanges {
    try await store.localChanges()
  }

  func editability(
    of table: String
  ) async throws(FeatureEditError) -> TableEditability {
    try await store.editability(of: table)
  }

  func validator(of table: String) async throws(FeatureEditError) -> FeatureValidator {
    try await store.validator(of: table)
  }
}

/// Features that are handed out once, all together.
private actor FeatureList {
  private var features: [Feature]

  init(_ features: [Feature]) { self.features = features }

  func next() -> [Feature]? {
    defer { features = [] }
    return features.isEmpty ? nil : features
  }
}
