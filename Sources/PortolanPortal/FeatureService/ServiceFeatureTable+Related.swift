internal import Foundation
public import PortolanFeatures
internal import PortolanJSON
internal import PortolanTransport

extension ServiceFeatureTable {
  /// The rows of another table that belong to features.
  ///
  /// - Parameters:
  ///   - objectIDs: The features.
  ///   - relationshipID: The id of the relationship.
  ///   - whereClause: A condition on the fields of the other table.
  ///   - returnsGeometry: Whether shapes are sent.
  /// - Returns: For each feature that has some, its rows.
  /// - Throws: ``PortalError``.
  public func relatedFeatures(
    to objectIDs: [Int64], through relationshipID: Int, whereClause: String? = nil,
    returnsGeometry: Bool = true
  ) async throws(PortalError) -> [Int64: FeatureSet] {
    var related: [Int64: FeatureSet] = [:]
    for batch in objectIDs.batches(of: 200) {
      var request: RESTParameters = [
        "objectIds": batch.map(String.init).joined(separator: ","), "outFields": "*",
        "definitionExpression": whereClause,
      ]
      request.set("relationshipId", relationshipID)
      request.set("returnGeometry", returnsGeometry)
      try await readRelated(request.merging(timeReference), into: &related)
    }
    return related
  }

  /// Reads pages until the service has no more; one that does not know of pages gives the same for ever.
  private func readRelated(
    _ request: RESTParameters, into related: inout [Int64: FeatureSet]
  ) async throws(PortalError) {
    var request = request
    var count = 0
    var previous: [FeatureSet] = []
    while true {
      let page = try await client.value(
        url.appending(path: "queryRelatedRecords"), request,
        orBecause: "there is no list of related records", reading: RelatedRecords.init(json:))
      for (objectID, set) in page.groups {
        related[objectID, default: set.withoutFeatures].features += set.features
        count += set.features.count
      }
      guard page.exceedsTransferLimit else { return }
      guard page.count > 0 else {
        throw .unexpected(url.withoutSecrets, reason: "there are more records, and none has come")
      }
      let sets = page.groups.map { $0.set }
      guard sets != previous else {
        throw .unexpected(url.withoutSecrets, reason: "it repeats its pages")
      }
      previous = sets
      request.set("resultOffset", count)
    }
  }
}

/// An answer with the rows that belong to features.
private struct RelatedRecords {
  let groups: [(objectID: Int64, set: FeatureSet)]
  let exceedsTransferLimit: Bool

  var count: Int { groups.reduce(0) { $0 + $1.set.features.count } }

  init?(json: JSONValue) {
    guard let header = json.object, let list = json["relatedRecordGroups"]?.array else {
      return nil
    }
    exceedsTransferLimit = json["exceededTransferLimit"]?.bool ?? false
    groups = list.compactMap { group in
      guard let objectID = group["objectId"]?.integer else { return nil }
      var set = header
      set["relatedRecordGroups"] = nil
      set["features"] = group["relatedRecords"] ?? []
      return FeatureSet(json: .object(set)).map { (objectID, $0) }
    }
  }
}

extension FeatureSet {
  /// The same fields without any features.
  fileprivate var withoutFeatures: FeatureSet {
    var set = self
    set.features = []
    return set
  }
}

extension Array {
  /// The elements in order, at most `size` at a time.
  func batches(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
