package import PortolanGeometry

package import struct Foundation.Data

/// A feature store that passes on to another one whatever it does not do itself.
package protocol ForwardingFeatureStore: FeatureStore {
  /// The kind of the other store.
  associatedtype Base: FeatureStore

  /// The other store.
  var base: Base { get }
}

extension ForwardingFeatureStore {
  package func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    try await base.schemas()
  }

  package func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    base.features(in: table, matching: query)
  }

  package func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    try await base.count(in: table, matching: query)
  }

  package func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    try await base.extent(of: table, matching: query)
  }

  package func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] {
    try await base.relatedFeatures(to: objectID, in: table, through: relationship)
  }

  package func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    try await base.attachments(of: objectID, in: table)
  }

  package func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data {
    try await base.data(of: attachment, in: table)
  }
}
