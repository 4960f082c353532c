public import PortolanFeatures
public import PortolanGeometry
internal import Synchronization

public import struct Foundation.Data

/// A store in which the shapes of some rows cannot be read, as in a damaged file.
public struct PartlyUnreadableStore: FeatureStore {
  private let sound: any FeatureStore
  private let unreadable: Set<Int64>
  private let isView: Bool

  /// Wraps a store; the rows with these object ids cannot be read.
  ///
  /// - Parameters:
  ///   - sound: The store with all rows.
  ///   - unreadable: The rows that cannot be read.
  ///   - isView: Whether reading ends at such a row, as where a view cannot compute it; ids can be read.
  public init(_ sound: any FeatureStore, unreadable: Set<Int64>, isView: Bool = false) {
    self.sound = sound
    self.unreadable = unreadable
    self.isView = isView
  }

  public func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    try await sound.schemas()
  }

  public func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence { [sound, unreadable, isView] in
      let walk = Mutex(sound.features(in: table, matching: query).makeAsyncIterator())
      return { () async throws(FeatureStoreError) -> [Feature]? in
        var iterator = walk.withLock(\.self)
        let next = try await iterator.next()
        walk.withLock { [iterator] in $0 = iterator }
        guard let next else { return nil }
        if isView, query.returnsGeometry, unreadable.contains(next.objectID) {
          throw .unsupported(
            file: "file", feature: "an expression in \(table) that cannot be computed")
        }
        guard isView || !unreadable.contains(next.objectID) else {
          throw .unreadableRow(
            UnreadableRow(
              file: "file", table: table, objectID: next.objectID, reason: "it is a test"))
        }
        return [next]
      }
    }
  }

  public func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int { try await sound.count(in: table, matching: query) }

  public func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    try await sound.extent(of: table, matching: query)
  }

  public func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] { [] }

  public func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] { [] }

  public func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data { Data() }
}
