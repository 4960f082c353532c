internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Answers `queryRelatedRecords`: the rows of another table that belong to rows of this one.
struct RelatedRecords: Sendable {
  let content: HostedContent
  let options: FeatureServiceOptions
  let now: Date

  /// The answer.
  ///
  /// - Throws: ``DemoFailure`` without object ids or a relation that the table has.
  func answer(
    _ parameters: DemoParameters, to table: HostedTable
  ) throws -> DemoResponse {
    let ids = parameters.list("objectIds").compactMap { Int64($0) }
    guard !ids.isEmpty else { throw DemoFailure.badQuery("'objectIds' parameter is invalid") }
    let id = parameters.int("relationshipId")
    guard
      let relation = table.schema.relationships.first(where: { $0.id == id ?? $0.id }),
      let related = content.tables.first(where: { $0.schema.name == relation.relatedTable })
    else { throw DemoFailure.badQuery("'relationshipId' parameter is invalid") }
    let query = try FeatureQuery(Self.relatedParameters(parameters), of: related, in: options)
    let candidates = try query.selected(from: related, now: now)
    let groups = try ids.compactMap { id in
      try group(of: id, in: table, relation, candidates, related, query)
    }
    return .json(
      answer(groups, related, query, countsOnly: parameters.bool("returnCountOnly") ?? false))
  }

  /// A row with the rows that belong to it.
  private struct Group {
    let objectID: Int64
    let features: QueryFeatures
  }

  /// The parameters as a query of the related table would have them.
  private static func relatedParameters(_ parameters: DemoParameters) -> DemoParameters {
    var pairs = [(name: "where", value: parameters["definitionExpression"] ?? "1=1")]
    for name in [
      "outFields", "returnGeometry", "outSR", "orderByFields", "resultOffset",
      "resultRecordCount", "returnZ", "returnM", "geometryPrecision", "maxAllowableOffset",
    ] {
      if let value = parameters[name] { pairs.append((name, value)) }
    }
    return DemoParameters(pairs)
  }

  private func group(
    of objectID: Int64, in table: HostedTable, _ relation: RelationshipInfo,
    _ candidates: [Feature], _ related: HostedTable, _ query: FeatureQuery
  ) throws -> Group? {
    guard let key = table.row(objectID)?.feature.attributes[relation.keyField], !key.isNull
    else { return nil }
    let members = candidates.filter {
      $0.attributes[relation.relatedKeyField]?.isEqual(to: key) ?? false
    }
    guard !members.isEmpty else { return nil }
    let page = try query.page(of: members, in: related, limit: options.maxRecordCount)
    return Group(
      objectID: objectID,
      features: try query.prepared(page.features, from: related, exceedsLimit: page.exceedsLimit))
  }

  private func answer(
    _ groups: [Group], _ related: HostedTable, _ query: FeatureQuery, countsOnly: Bool
  ) -> JSONValue {
    var members: JSONObject = [:]
    if let type = related.schema.geometryType, query.returnsGeometry {
      members["geometryType"] = .string(type.rawValue)
      members["spatialReference"] =
        (query.spatialReference ?? related.schema.spatialReference)?.esriJSON
    }
    members["fields"] = .array(query.outFields.fields.map(QueryJSON.field))
    members["relatedRecordGroups"] = .array(
      groups.map { group in
        guard !countsOnly else {
          return [
            "objectId": .integer(group.objectID),
            "count": .integer(Int64(group.features.features.count)),
          ]
        }
        return [
          "objectId": .integer(group.objectID),
          "relatedRecords": QueryJSON.featureSet(group.features)["features"] ?? [],
        ]
      })
    if groups.contains(where: \.features.exceedsLimit) { members["exceededTransferLimit"] = true }
    return .object(members)
  }
}
