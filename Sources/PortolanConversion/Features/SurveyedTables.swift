internal import PortolanFeatures
internal import PortolanGeometry

internal import struct Foundation.Data

/// The tables of a file, held in memory, with what was found out when it was read.
struct SurveyedTables: SurveyedStore {
  let failures: [ConversionResult.Failure]
  let damagedCount: Int
  let notes: [String]

  private let store: InMemoryFeatureStore

  /// Holds the tables of a file that can be read whole.
  init(_ tables: [FeatureTableContents], name: String, notes: [String]) {
    failures = []
    damagedCount = 0
    self.notes = notes
    store = InMemoryFeatureStore(tables, name: name)
  }

  /// Holds the rows of a file of comma-separated values, of which some may have no shape though their cells
  /// should be one.
  init(_ contents: CSVContents, name: String) {
    failures = contents.failures
    damagedCount = contents.damagedCount
    notes = contents.notes
    store = InMemoryFeatureStore(contents.tables(), name: name)
  }

  func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    try await store.schemas()
  }

  func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    store.features(in: table, matching: query)
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
}
