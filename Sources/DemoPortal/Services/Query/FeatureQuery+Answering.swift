internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

extension FeatureQuery {
  /// The response of a layer.
  ///
  /// - Parameters:
  ///   - table: The layer.
  ///   - options: What its service can do.
  ///   - now: The present moment, for where clauses.
  ///   - top: What is left of the features that match.
  /// - Returns: The answer in the format wanted.
  /// - Throws: ``DemoFailure`` if the layer cannot answer that.
  func answer(
    from table: HostedTable, _ options: FeatureServiceOptions, now: Date, top: TopFilter? = nil
  ) throws -> DemoResponse {
    if top == nil, case .features = wanted,
      let page = wholePage(of: table, limit: options.maxRecordCount)
    {
      return response(
        try prepared(page.features, from: table, exceedsLimit: page.exceedsLimit), options)
    }
    let matching = try selected(from: table, now: now)
    let found = try top?.first(of: matching, in: table) ?? matching
    switch wanted {
    case .features: return try features(found, table, options)
    case .ids: return ids(try ordered(found, in: table), table, options)
    case .count: return count(found.count)
    case .extent: return try extent(found, table)
    case .distinctValues: return try distinctValues(found, table, options)
    case .statistics(let statistics, let groups):
      return try self.statistics(statistics, groups, found, table)
    }
  }

  private func features(
    _ found: [Feature], _ table: HostedTable, _ options: FeatureServiceOptions
  ) throws -> DemoResponse {
    let page = try page(of: found, in: table, limit: options.maxRecordCount)
    return response(
      try prepared(page.features, from: table, exceedsLimit: page.exceedsLimit), options)
  }

  private func response(
    _ answer: QueryFeatures, _ options: FeatureServiceOptions? = nil
  ) -> DemoResponse {
    var answer = answer
    if let options { answer.product = options.product }
    return switch format {
    case .json: .json(QueryJSON.featureSet(answer))
    case .geoJSON:
      .bytes(
        QueryJSON.geoJSON(answer).encoded(), type: "application/geo+json;charset=utf-8")
    case .buffer: .buffer(FeatureBuffer.data(answer))
    }
  }

  private func ids(
    _ found: [Feature], _ table: HostedTable, _ options: FeatureServiceOptions
  ) -> DemoResponse {
    let ids = found.map(\.objectID)
    let name = table.schema.objectIDField
    guard format != .buffer else {
      return .buffer(FeatureBuffer.data(ids: ids, objectIDField: name))
    }
    // Servers that know no pages are older ones, which write null for an empty list.
    let isNull =
      ids.isEmpty && (!options.supportsPagination || options.product.writesNullForNoIDs)
    return .json([
      "objectIdFieldName": .string(name),
      "objectIds": isNull ? .null : .array(ids.map { .integer($0) }),
    ])
  }

  private func count(_ count: Int) -> DemoResponse {
    format == .buffer
      ? .buffer(FeatureBuffer.data(count: count)) : .json(["count": .integer(Int64(count))])
  }

  private func extent(_ found: [Feature], _ table: HostedTable) throws -> DemoResponse {
    let source = table.schema.spatialReference
    let target = spatialReference ?? source
    var box = found.compactMap(\.geometry?.extent).reduce(Envelope.empty) { $0.union($1) }
    if let source, let target, !box.isEmpty {
      box = try Projection(from: source, to: target).project(box)
    }
    guard format != .buffer else {
      return .buffer(FeatureBuffer.data(extent: box, count: found.count, reference: target))
    }
    return .json([
      "count": .integer(Int64(found.count)), "extent": box.esriJSON(spatialReference: target),
    ])
  }

  private func distinctValues(
    _ found: [Feature], _ table: HostedTable, _ options: FeatureServiceOptions
  ) throws -> DemoResponse {
    var seen: Set<[AttributeValue]> = []
    let firsts = found.filter { feature in
      seen.insert(outFields.fields.map { feature.attributes[$0.name] ?? .null }).inserted
    }
    var query = self
    query.returnsGeometry = false
    let page = try query.page(of: firsts, in: table, limit: options.maxRecordCount)
    return query.response(
      try query.prepared(page.features, from: table, exceedsLimit: page.exceedsLimit), options)
  }

  private func statistics(
    _ statistics: [QueryStatistic], _ groups: [String], _ found: [Feature], _ table: HostedTable
  ) throws -> DemoResponse {
    let (fields, rows) = try QueryStatistic.rows(
      statistics, groupedBy: groups, of: found, in: table.fields, ordered: orderBy)
    let features = rows.enumerated().map {
      Feature(objectID: Int64($0 + 1), attributes: $1)
    }
    guard format != .buffer else {
      return response(
        QueryFeatures(
          schema: table.schema, fields: fields, features: features, hasGeometry: false,
          exceedsLimit: false, hasZ: false, hasM: false))
    }
    return .json([
      "objectIdFieldName": .string(table.schema.objectIDField), "globalIdFieldName": "",
      "fields": .array(fields.fields.map(QueryJSON.field)),
      "features": .array(features.map { ["attributes": HostedValue.json($0.attributes)] }),
    ])
  }
}

extension DemoResponse {
  /// An answer in Protocol Buffers.
  static func buffer(_ data: Data) -> DemoResponse {
    .bytes(data, type: "application/x-protobuf")
  }
}
