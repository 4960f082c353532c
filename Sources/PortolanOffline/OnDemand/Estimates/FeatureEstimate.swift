internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal

/// Estimates the number of rows of a geodatabase and its size: some of them are written into one.
struct FeatureEstimate {
  /// How many rows of a layer are looked at, and at how many places of its order.
  private static let (sampledRows, sampledPlaces) = (60, 4)
  /// How many rows are asked one by one for what is attached to them.
  private static let sampledSingly = 12
  /// How many rows relations lead from table to table.
  private static let longestChain = 3

  let options: GenerateGeodatabaseParameters
  let source: MapSources.Features
  let isReplica: Bool
  let client: RESTClient
  let environment: OfflineEnvironment

  private var rows: GeodatabaseRows { GeodatabaseRows(options: options, source: source) }

  /// The rows, and the bytes that they take as far as is known.
  ///
  /// - Throws: ``PortolanPortal/PortalError`` if the service does not count them.
  func estimate() async throws(PortalError) -> (features: Int, bytes: ClosedRange<Int>?) {
    let counts = try await counts()
    var samples: [Sample] = []
    for layer in rows.layers {
      guard let count = counts[layer.option.layerID], count > 0 else { continue }
      guard let sample = try await sample(layer, count) else { return (total(counts), nil) }
      samples.append(sample)
    }
    let probe = GeodatabaseProbe(
      layers: rows.layers.map { layer in
        var schema = layer.schema
        schema.isChangeTracked = isReplica
        return (schema, layer.info.json["drawingInfo"])
      }, now: environment.surroundings.now, makeID: environment.surroundings.makeID)
    guard let sizes = await probe.sizes(of: samples) else { return (total(counts), nil) }
    return (total(counts), Self.range(samples, sizes, isReplica: isReplica))
  }

  private func total(_ counts: [Int: Int]) -> Int { counts.values.reduce(0, +) }

  // MARK: - Rows

  /// How many rows each layer has.
  private func counts() async throws(PortalError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for layer in rows.layers {
      guard layer.option.queryOption != .none else {
        counts[layer.option.layerID] = 0
        continue
      }
      counts[layer.option.layerID] = try await count(layer, rows.query(layer))
    }
    return try await withRelated(counts)
  }

  private func count(
    _ layer: GeodatabaseRows.Layer, _ query: ServiceQueryParameters = ServiceQueryParameters()
  ) async throws(PortalError) -> Int {
    try await rows.table(layer, client).count(matching: query)
  }

  /// Adds the rows that come along because they relate to others: as many of them as of those.
  private func withRelated(_ counts: [Int: Int]) async throws(PortalError) -> [Int: Int] {
    var (counts, all) = (counts, [Int: Int]())
    let layers = Dictionary(
      rows.layers.map { ($0.option.layerID, $0) }, uniquingKeysWith: { first, _ in first })
    for _ in 0..<Self.longestChain {
      let before = counts
      for origin in rows.layers where origin.option.includesRelated {
        let taken = before[origin.option.layerID] ?? 0
        for id in origin.destinations where taken > 0 {
          guard let destination = layers[id], destination.option.queryOption != .all,
            isReplica || rows.isRelatedOnly(destination)
          else { continue }
          for layer in [origin, destination] where all[layer.option.layerID] == nil {
            all[layer.option.layerID] = try await count(layer)
          }
          let share = Double(taken) / Double(max(1, all[origin.option.layerID] ?? 1))
          let related = Double(all[id] ?? 0) * min(1, share)
          counts[id] = max(counts[id] ?? 0, Int(exactly: related.rounded()) ?? .max)
        }
      }
      guard counts != before else { break }
    }
    return counts
  }

  // MARK: - Samples

  /// Some rows of a layer, with the bytes that are attached to them.
  struct Sample: Sendable {
    let table: String
    /// How many rows the layer has.
    let count: Int
    let features: [Feature]
    /// The bytes that are attached to some of the rows, row by row.
    let attached: [Int]
  }

  private func sample(
    _ layer: GeodatabaseRows.Layer, _ count: Int
  ) async throws(PortalError) -> Sample? {
    let table = rows.table(layer, client)
    // Of what only comes along because it relates to others any row does.
    var query = layer.option.queryOption == .none ? ServiceQueryParameters() : rows.query(layer)
    query.outSpatialReference =
      layer.schema.geometryType == nil ? nil : layer.schema.spatialReference
    let (offsets, limit, selected) = (offsets(count, layer.info), limit(count, layer.info), query)
    let pages = try await client.answers(to: offsets, atOnce: Self.sampledPlaces) {
      (offset) async throws(PortalError) in
      var query = selected
      query.offset = offset
      query.limit = limit
      var pages = table.pages(matching: query, pageSize: limit, pagesAhead: 1)
        .makeAsyncIterator()
      return try await pages.next()?.features ?? []
    }
    guard pages.count == offsets.count else { return nil }
    let features = offsets.flatMap { (pages[$0] ?? []).prefix(limit) }
    guard !features.isEmpty else { return nil }
    guard let attached = try await attached(to: features, layer, table) else { return nil }
    return Sample(
      table: layer.schema.name, count: count, features: features, attached: attached)
  }

  /// Where rows are looked at: all over the order, where a service knows of places in it.
  private func offsets(_ count: Int, _ info: FeatureLayerInfo) -> [Int] {
    let limit = limit(count, info)
    guard limit < Self.sampledRows else { return [0] }
    return (0..<Self.sampledPlaces).map { $0 * (count - limit) / (Self.sampledPlaces - 1) }
  }

  /// How many rows are looked at in each place.
  private func limit(_ count: Int, _ info: FeatureLayerInfo) -> Int {
    let isSpread = info.supportsPagination && count > Self.sampledRows
    return isSpread ? Self.sampledRows / Self.sampledPlaces : Self.sampledRows
  }

  /// The bytes that are attached to features, one after the other; `nil` if the service does not say.
  private func attached(
    to features: [Feature], _ layer: GeodatabaseRows.Layer, _ table: ServiceFeatureTable
  ) async throws(PortalError) -> [Int]? {
    guard layer.schema.hasAttachments else { return [] }
    let asked =
      table.info.supportsQueryAttachments ? features : Array(features.prefix(Self.sampledSingly))
    let lists = try await client.answer { () async throws(PortalError) in
      try await table.attachments(of: asked.map(\.objectID))
    }
    guard let lists else { return nil }
    return asked.map { feature in
      (lists[feature.objectID] ?? []).reduce(0) { $0 + $1.size + GeodatabaseProbe.attachmentHead }
    }
  }

  // MARK: - The range

  /// The bytes of a geodatabase, of what some of its rows take.
  static func range(
    _ samples: [Sample], _ sizes: GeodatabaseProbe.Sizes, isReplica: Bool
  ) -> ClosedRange<Int> {
    let rows = zip(samples, sizes.rows).reduce(0) { $0 + Double($1.0.count) * $1.1 }
    let spread = SampledTotal(
      zip(samples, sizes.rows).map { sample, size in
        SampledTotal.Group(count: sample.count, sizes: weights(sample.features, mean: size))
      }
    ).margin
    let attached = SampledTotal(
      samples.map { SampledTotal.Group(count: $0.count, sizes: $0.attached) }
    ).range
    // Servers write other indexes, and give names more room than the writer here does.
    let (empty, row) = isReplica ? (0.5...2.0, 0.75...1.4) : (0.97...1.03, 0.95...1.05)
    let base = Double(sizes.empty)
    let least = base * empty.lowerBound + rows * row.lowerBound + attached.lowerBound - spread
    let most = base * empty.upperBound + rows * row.upperBound + attached.upperBound * 1.1 + spread
    return Int(max(base * empty.lowerBound, min(least, 1e15)))...Int(min(most, 1e15))
  }

  /// What single rows take, as their length as JSON shows it.
  private static func weights(_ features: [Feature], mean: Double) -> [Int] {
    let lengths = features.map { feature in
      let shape = feature.geometry?.esriJSON().encoded().count ?? 0
      return shape + feature.attributes.esriJSON.encoded().count
    }
    let all = Double(max(1, lengths.reduce(0, +))) / Double(max(1, lengths.count))
    return lengths.map { Int(Double($0) / all * mean) }
  }
}
