internal import Foundation
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTiles
internal import PortolanTransport

/// Estimates the number of tiles of an export, and its size.
struct TileEstimate {
  /// How many tiles are read in all, and of each level at least.
  private static let (sampledTiles, sampledTilesOfLevel) = (48, 4)
  private static let sampledResources = 4
  private static let requestsAtOnce = 6
  /// How often a service is asked what it has found out, and the pause between.
  private static let (mostLooks, pause) = (20, Duration.milliseconds(500))
  /// What a file of a package takes without tiles, and what each tile adds (Docs/FORMATS.md, 3.1).
  private static let (emptyBundle, tileHead) = (131_136, 4)
  /// The contents of a package beside its tiles.
  private static let descriptions = 2000...100_000

  let part: OnDemandPart
  let source: MapSources.Tiles
  let options: ExportTileCacheParameters
  let client: RESTClient
  let clock: any Clock<Duration>

  private var isVector: Bool { part.address.isVector }

  /// The tiles of each level.
  ///
  /// - Returns: `nil` for areas that cannot be placed in the scheme.
  var coverage: [TileCoverage]? {
    guard let scheme = source.info.tileScheme,
      // What cannot be placed in the scheme is for the service to refuse.
      let area = try? options.areaOfInterest.projected(to: scheme.spatialReference)
    else { return nil }
    return options.levelIDs.compactMap {
      TileCoverage(of: area, within: source.info.fullExtent, level: $0, in: scheme)
    }
  }

  /// Whether the service exports them.
  var limit: ExportLimit {
    ExportLimit(
      service: part.wholeTitle, tiles: coverage.map(Self.count),
      limit: source.info.maxExportTilesCount)
  }

  private static func count(_ coverage: [TileCoverage]) -> Int {
    coverage.reduce(0) { sum, level in
      let (total, overflows) = sum.addingReportingOverflow(level.count)
      return overflows ? .max : total
    }
  }

  func estimate() async throws(PortalError) -> (tiles: Int?, bytes: ClosedRange<Int>?) {
    guard let coverage else { return (nil, nil) }
    let count = Self.count(coverage)
    // What is beside the tiles in a package is all that there would be.
    guard count > 0 else { return (0, 0...Self.descriptions.upperBound) }
    let isTooMany = limit.refusal != nil
    let sampled = try await sampledBytes(coverage)
    // A service that will refuse the export refuses its estimate as well.
    let told = isTooMany ? nil : try await reportedBytes()
    return (count, Self.range(sampled, told))
  }

  // MARK: - The service's word

  /// The bytes as the service has them; services of vector tiles do not say.
  private func reportedBytes() async throws(PortalError) -> Int? {
    guard !isVector, source.info.canExportTiles else { return nil }
    let task = TileExportTask(url: part.url, client: client)
    let form = TileExportParameters(
      area: options.areaOfInterest, levels: options.levelIDs, quality: options.compressionQuality,
      isVector: false, version: source.info.currentVersion
    ).form
    return try await client.answer { () async throws(PortalError) -> Int? in
      var status = try await task.submit(form, estimate: true)
      let id = status.id
      for _ in 0..<Self.mostLooks where !status.stage.isFinal {
        do { try await clock.sleep(for: Self.pause) } catch { throw .cancelled }
        status = try await task.status(of: id, estimate: true)
      }
      guard status.stage == .succeeded else { return nil }
      if status.id.isEmpty { status.id = id }
      return try await task.size(of: status).byteCount
    } ?? nil
  }

  /// What a sample and the service say together.
  ///
  /// Services estimate as well. One that is far from what its own tiles weigh is not heard.
  static func range(_ sampled: ClosedRange<Double>?, _ told: Int?) -> ClosedRange<Int>? {
    guard let sampled else {
      return told.map { $0 / 2...$0 + $0 / 2 }
    }
    let bytes = told.map(Double.init) ?? 0
    let isPlausible = bytes > sampled.lowerBound / 2 && bytes < sampled.upperBound * 2
    let least = isPlausible ? min(sampled.lowerBound, bytes) : sampled.lowerBound
    let most = isPlausible ? max(sampled.upperBound, bytes) : sampled.upperBound
    return Int(min(least, 1e15))...Int(min(most, 1e15))
  }

  // MARK: - A sample

  private func sampledBytes(
    _ coverage: [TileCoverage]
  ) async throws(PortalError) -> ClosedRange<Double>? {
    guard !coverage.isEmpty else { return nil }
    let tiles = sample(coverage)
    let sizes = try await sizes(of: tiles.flatMap(\.self))
    guard !sizes.isEmpty else { return nil }
    let groups = zip(coverage, tiles).map { level, tiles in
      SampledTotal.Group(count: level.count, sizes: tiles.compactMap { sizes[$0] })
    }
    // Where no tile of a level can be read, the others say nothing of it.
    guard groups.allSatisfy({ !$0.sizes.isEmpty || $0.count == 0 }) else { return nil }
    let total = SampledTotal(groups).range
    let files = zip(coverage, groups).map { Self.files($0, $1) }
    let resources = isVector ? try await resourceBytes() : 0...0
    // Images that are compressed again become smaller as a rule.
    let quality = options.compressionQuality == nil ? 0.95 : 0.4
    let least =
      total.lowerBound * quality + files.reduce(0) { $0 + $1.lowerBound } + resources.lowerBound
    let most =
      total.upperBound * 1.05 + files.reduce(0) { $0 + $1.upperBound } + resources.upperBound
    return least + Double(Self.descriptions.lowerBound)...most
      + Double(Self.descriptions.upperBound)
  }

  /// What a package takes for a level beside the tiles themselves.
  private static func files(
    _ level: TileCoverage, _ sample: SampledTotal.Group
  ) -> ClosedRange<Double> {
    let there = sample.sizes.count { $0 > 0 }
    // Tiles that are not there take no place, and files of none of them are left out.
    let share = sample.sizes.isEmpty ? 0 : Double(there) / Double(sample.sizes.count)
    let all = Double(level.bundleCount) * Double(emptyBundle)
    let heads = Double(level.count) * Double(tileHead) * share
    guard there > 0 else { return 0...(sample.sizes.count < sample.count ? all : 0) }
    return max(Double(emptyBundle), all * share) + heads...all + heads
  }

  /// Tiles of each level, spread over the area; most of them of the levels that have most.
  private func sample(_ coverage: [TileCoverage]) -> [[TileID]] {
    let all = coverage.reduce(0.0) { $0 + Double($1.count) }
    return coverage.map { level in
      let share = Int(Double(Self.sampledTiles) * Double(level.count) / max(1, all))
      let count = min(level.count, max(Self.sampledTilesOfLevel, share))
      guard count < level.count else { return level.tiles(at: Array(0..<level.count)) }
      // Steps of the golden ratio let the places inside their stretches look random, and yet be the
      // same each time.
      let stretch = Double(level.count) / Double(count)
      let places = (0..<count).map { number in
        let within = (Double(number + 1) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        return min(level.count - 1, Int((Double(number) + within) * stretch))
      }
      return level.tiles(at: places)
    }
  }

  /// The bytes of tiles, 0 for those that are not there; those that could not be read are missing.
  private func sizes(of tiles: [TileID]) async throws(PortalError) -> [TileID: Int] {
    let (url, isVector, client) = (part.url, isVector, client)
    return try await client.answers(to: tiles, atOnce: Self.requestsAtOnce) {
      (tile) async throws(PortalError) in
      let data =
        isVector
        ? try await VectorTileService(url: url, client: client).data(of: tile)
        : try await TileService(url: url, client: client).data(of: tile)
      return data?.count ?? 0
    }
  }

  /// The bytes of fonts and pictures of a style, which come along.
  private func resourceBytes() async throws(PortalError) -> ClosedRange<Double> {
    let unknown = 0.0...4_000_000
    let service = VectorTileService(url: part.url, client: client)
    let paths = try await client.answer { () async throws(PortalError) in
      try await service.resourcePaths()
    }
    guard let paths else { return unknown }
    guard !paths.isEmpty else { return 0...0 }
    let count = min(paths.count, Self.sampledResources)
    let folder = part.url.appending(path: "resources/info/")
    let chosen = (0..<count).compactMap { number in
      URL(string: paths[(2 * number + 1) * paths.count / (2 * count)], relativeTo: folder)?
        .absoluteURL
    }
    // Other hosts are not asked for the sake of an estimate.
    let near = Set(chosen.filter { $0.host() == folder.host() })
    let client = client
    let sizes = try await client.answers(to: Array(near), atOnce: Self.requestsAtOnce) {
      (url) async throws(PortalError) in
      try await client.data(url, limit: 8 << 20).body.count
    }
    guard !sizes.isEmpty else { return unknown }
    let total = SampledTotal([
      SampledTotal.Group(count: paths.count, sizes: Array(sizes.values))
    ]).range
    return total.lowerBound / 2...total.upperBound * 1.5
  }
}
