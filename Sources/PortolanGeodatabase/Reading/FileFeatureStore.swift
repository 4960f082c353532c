public import Foundation
public import PortolanFeatures
public import PortolanGeometry

/// A feature store in a file, which also lends readers for synchronous work.
///
/// Several tasks are answered at once, each on a connection of its own, off the cooperative pool.
public protocol FileFeatureStore: GapListingStore {
  /// Lends a reader for several synchronous calls; see ``GeodatabaseReader``.
  ///
  /// Cancelling the task stops the running statement.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T

  /// Closes the connections to the file before it returns; walks that were begun keep theirs.
  ///
  /// The last connection to a file in write-ahead mode removes the files beside it. Without this a
  /// store without references closes as well, at some later time.
  func close() async
}

extension FileFeatureStore {
  public func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    try await read { reader throws(FeatureStoreError) in try reader.schemas() }
  }

  public func gaps() async throws(FeatureStoreError) -> [TableGap] {
    try await read { reader throws(FeatureStoreError) in try reader.gaps() }
  }

  /// The schema of a table, also of one that is not listed.
  public func schema(of table: String) async throws(FeatureStoreError) -> FeatureTableSchema {
    try await read { reader throws(FeatureStoreError) in try reader.schema(of: table) }
  }

  public func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    try await read { reader throws(FeatureStoreError) in
      try reader.count(in: table, matching: query)
    }
  }

  public func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    try await read { reader throws(FeatureStoreError) in
      try reader.extent(of: table, matching: query)
    }
  }

  public func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] {
    try await read { reader throws(FeatureStoreError) in
      try reader.relatedFeatures(to: objectID, in: table, through: relationship)
    }
  }

  public func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    try await read { reader throws(FeatureStoreError) in
      try reader.attachments(of: objectID, in: table)
    }
  }

  public func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data {
    try await read { reader throws(FeatureStoreError) in
      try reader.data(of: attachment, in: table)
    }
  }

  /// The object ids of the features that a tap meets; see
  /// ``GeodatabaseReader/objectIDs(in:touching:within:limit:)``.
  public func objectIDs(
    in table: String, touching place: Coordinate, within tolerance: Double, limit: Int = .max
  ) async throws(FeatureStoreError) -> [Int64] {
    try await read { reader throws(FeatureStoreError) in
      try reader.objectIDs(in: table, touching: place, within: tolerance, limit: limit)
    }
  }
}
