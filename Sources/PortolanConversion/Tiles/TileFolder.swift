internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTileFiles
internal import PortolanTiles

/// Writes tiles to a folder as `{z}/{x}/{y}` with a TileJSON file beside them, as web servers and
/// map widgets take them.
///
/// - SeeAlso: [TileJSON 3.0](https://github.com/mapbox/tilejson-spec/tree/master/3.0.0)
struct TileFolder {
  private let source: any TileSource
  private let throttle: ProgressThrottle
  private let quad: WebMercatorQuad
  private var formats: [TileFormat: Int] = [:]
  private var counts: [Int: Int] = [:]
  /// How many tiles have no address in the folder, by their levels.
  private var leftOut: [Int: Int] = [:]
  /// The levels that have another number in the folder, by the one in the source.
  private var renumbered: [Int: Int] = [:]
  private var result = ConversionResult()

  init(_ source: any TileSource, _ throttle: ProgressThrottle) {
    self.source = source
    self.throttle = throttle
    quad = WebMercatorQuad(matching: source.info.scheme)
  }

  /// Writes the files; the folder appears when all are complete.
  mutating func write(to target: ConversionTarget) async throws -> ConversionResult {
    guard !quad.isEmpty else { throw wrongScheme(target) }
    var folder = try StagedFolder(target.url)
    let (name, total) = (source.info.name, try await source.tileCounts().values.reduce(0, +))
    guard total <= TileConversion.maximumCount else {
      throw TileError.tooManyTiles(
        file: name, count: total, limit: TileConversion.maximumCount)
    }
    for try await id in source.tileIDs {
      try await copy(id, to: &folder)
      let done = counts.values.reduce(result.failureCount, +)
      throttle.report(
        ConversionProgress(part: name, unit: .tiles, completed: done, total: total))
    }
    guard let format = formats.max(by: { $0.value < $1.value })?.key else {
      throw ConversionError.nothingToConvert(file: name)
    }
    let layers = format.isRaster ? nil : try await source.metadata()?["vector_layers"]
    let description = Data(description(format, layers: layers).text().utf8)
    try folder.add(
      "tiles.json", contentsOf: MemoryByteSource(description, name: "tiles.json"))
    try target.complete(folder)
    result.tileSets = [ConversionResult.TileSet(name: name, counts: counts)]
    result.notes += limitations.map(\.description)
    return result
  }

  /// What the folder does not have as the source does.
  private var limitations: [TileLimitation] {
    var limitations: [TileLimitation] = []
    if !leftOut.isEmpty {
      limitations.append(
        .levelsLeftOut(Set(leftOut.keys), tileCount: leftOut.values.reduce(0, +)))
    }
    if !renumbered.isEmpty { limitations.append(.levelsRenumbered(renumbered)) }
    return limitations
  }

  private mutating func copy(_ id: TileID, to folder: inout StagedFolder) async throws {
    guard let place = quad.tile(for: id) else {
      leftOut[id.level, default: 0] += 1
      return
    }
    let tile: Tile?
    do throws(TileError) { tile = try await source.tile(at: id) } catch {
      guard case .damagedTile(_, _, let reason) = error else { throw error }
      result.add(.init(part: source.info.name, item: "tile \(id.address)", reason: reason))
      return
    }
    guard let tile else { return }
    let path = "\(place.level)/\(place.column)/\(place.row).\(tile.format.fileExtension)"
    try folder.add(path, contentsOf: MemoryByteSource(tile.data, name: path))
    formats[tile.format, default: 0] += 1
    counts[place.level, default: 0] += 1
    if place.level != id.level { renumbered[id.level] = place.level }
  }

  private func description(_ format: TileFormat, layers: JSONValue?) -> JSONValue {
    var members: JSONObject = [
      "tilejson": "3.0.0", "name": .string(source.info.name), "scheme": "xyz",
      "tiles": [.string("{z}/{x}/{y}.\(format.fileExtension)")],
      "minzoom": .integer(Int64(counts.keys.min() ?? 0)),
      "maxzoom": .integer(Int64(counts.keys.max() ?? 0)),
    ]
    members["vector_layers"] = layers
    if let bounds {
      members["bounds"] = [
        .number(bounds.xMin), .number(bounds.yMin), .number(bounds.xMax), .number(bounds.yMax),
      ]
    }
    return .object(members)
  }

  /// The extent in degrees; `nil` if the source does not say.
  private var bounds: Envelope? {
    guard let extent = source.info.fullExtent else { return nil }
    // An extent without degrees is left out.
    return try? Projection(from: source.info.scheme.spatialReference, to: .wgs84).project(extent)
      .rounded(toDecimals: SpatialReference.wgs84.writtenDecimals)
  }

  private func wrongScheme(_ target: ConversionTarget) -> TileError {
    .cannotHold(
      file: target.name,
      reason: "those of \"\(source.info.name)\" are none of the Web Mercator pyramid, and a "
        + "folder of tiles has only such")
  }
}
