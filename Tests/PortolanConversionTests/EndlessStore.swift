import Foundation
import PortolanFeatures
import PortolanGeometry

/// A store whose rows never end.
struct EndlessStore: FeatureStore {
  let onPage: @Sendable () -> Void

  func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    [FeatureTableContents.rows("rows", 1).schema]
  }

  func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence { [onPage] in
      let rows = FeatureTableContents.rows("rows", 256).features.map { row in
        var row = row
        row.objectID = 0
        return row
      }
      return { () throws(FeatureStoreError) in
        onPage()
        return rows
      }
    }
  }

  func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int { .max }

  func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? { nil }

  func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] { [] }

  func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] { [] }

  func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data { Data() }
}
