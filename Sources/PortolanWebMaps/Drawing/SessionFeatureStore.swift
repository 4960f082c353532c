internal import PortolanFeatures
internal import PortolanPackages
internal import PortolanPortal

/// The tables of a service, whose features are requested once for each extent that is drawn.
///
/// Only what is asked for by extent and simplified for drawing is kept, until something is edited
/// here; other queries go to the service, so that a popup shows what is there now.
final class SessionFeatureStore: EditableFeatureStore, ForwardingFeatureStore, OnlineSource {
  /// The features that are kept for a service.
  private static let limit = 100_000

  private struct Key: Hashable {
    let table: String
    let query: QueryParameters
  }

  /// The service.
  let base: ServiceGeodatabase
  private let cache: SessionCache<Key, [Feature], FeatureStoreError>

  init(_ base: ServiceGeodatabase) {
    self.base = base
    cache = SessionCache(limit: Self.limit) { $0.count + 1 }
  }

  func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    guard query.extent != nil, query.maxAllowableOffset != nil else {
      return base.features(in: table, matching: query)
    }
    let (cache, base, key) = (cache, base, Key(table: table, query: query))
    return FeatureSequence { () async throws(FeatureStoreError) in
      let features = try await cache.value(for: key, orIfCancelled: .cancelled) {
        do throws(FeatureStoreError) {
          return .success(
            try await base.features(in: key.table, matching: key.query).collect())
        } catch {
          return .failure(error)
        }
      }
      let pages = FeatureList(features)
      return { () async throws(FeatureStoreError) in await pages.next() }
    }
  }

  // MARK: - Editing

  func apply(
    _ edits: [FeatureEdit]
  ) async throws(FeatureEditError) -> [FeatureEditResult] {
    // Also an edit that failed may have arrived.
    do throws(FeatureEditError) {
      let results = try await base.apply(edits)
      await cache.forgetAll()
      return results
    } catch {
      await cache.forgetAll()
      throw error
    }
  }

  func undo() async throws(FeatureEditError) -> [LocalChange] {
    let changes = try await base.undo()
    await cache.forgetAll()
    return changes
  }

  func undoCount() async -> Int { await base.undoCount() }

  func localChanges() async throws(FeatureEditError) -> LocalChanges {
    try await base.localChanges()
  }

  func editability(
    of table: String
  ) async throws(FeatureEditError) -> TableEditability {
    try await base.editability(of: table)
  }

  func validator(of table: String) async throws(FeatureEditError) -> FeatureValidator {
    try await base.validator(of: table)
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
