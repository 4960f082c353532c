import Foundation
import PortolanGeometry
import PortolanImages
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTiles

/// A tile of 512 pixels of a map on screen, from warm data, by its stages (7).
///
/// Tiles are drawn in blocks: the first of a block takes as long as the block, those beside it take
/// as long as they are encoded. Each round asks for other blocks than the one before.
struct DrawingBenchmark: BenchmarkSuite {
  let name = "drawing"

  /// Tiles of a round, each of another block.
  private static let blocks = 8

  private static let maps = [
    (name: "canyonlands", file: "samples/preplanned-package/canyonlands", level: 12),
    (name: "dodge_city.vtpk", file: "samples/tile-packages/dodge_city.vtpk", level: 14),
  ]

  func run(_ bed: BenchmarkBed) async throws {
    for map in Self.maps {
      let renderer = try await Self.renderer(bed.data(map.file))
      let ids = try await Self.tiles(bed.data(map.file), level: map.level)
      try await tiles(bed, map.name, renderer, ids)
    }
  }

  private func tiles(
    _ bed: BenchmarkBed, _ name: String, _ renderer: MapRenderer, _ ids: [TileID]
  ) async throws {
    let drawn = RenderedTileSource(renderer, name: name, pixelRatio: 2)
    // Data are warm from here on, and the last block is kept.
    for id in ids { _ = try await drawn.tile(at: id) }
    guard let last = ids.last else { throw BenchmarkError("\(name) has no ground") }
    let alone = Self.request(last)
    let image = try await renderer.image(alone).image
    await Contest(
      job: "A tile of 512 pixels: \(name)",
      contenders: [
        .ours("Portolan, the first of its block", count: ids.count) {
          let source = RenderedTileSource(renderer, name: name, pixelRatio: 2)
          for id in ids { _ = try await source.tile(at: id) }
        },
        .ours("Portolan, the ground of the tile alone, to pixels", count: 1) {
          _ = try await renderer.image(alone)
        },
        .ours("Portolan, a tile of a block that is kept", count: 1) {
          _ = try await drawn.tile(at: last)
        },
        .ours("Portolan, its pixels as PNG", count: 4) {
          for _ in 0..<4 { _ = try image.pngData() }
        },
      ]
    ).run(on: bed)
  }

  private static func renderer(_ url: URL) async throws -> MapRenderer {
    MapRenderer(await DrawnMap(of: try await map(url)))
  }

  private static func map(_ url: URL) async throws -> MobileMap {
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: FileManager.default.temporaryDirectory, now: .now)
    guard let map = package.maps.first else { throw BenchmarkError("\(url.path()) has no map") }
    return map
  }

  /// Tiles of blocks side by side, from the middle of the map.
  private static func tiles(_ url: URL, level: Int) async throws -> [TileID] {
    let frame = try await map(url).initialFrame(width: 512, height: 512)
    let toMercator = try Projection(from: frame.spatialReference, to: .webMercator)
    let center = toMercator.project([frame.center])[0]
    let scheme = TileScheme.webMercator(tileSide: 256, levels: 0...23)
    guard let middle = scheme.tile(containing: center, level: level) else { return [] }
    return (0..<blocks).map { number in
      TileID(
        level: level, row: middle.row + number / 4 * 4, column: middle.column + number % 4 * 4)
    }
  }

  private static func request(_ id: TileID) -> MapPictureRequest {
    let scheme = TileScheme.webMercator(tileSide: 256, levels: 0...23)
    let extent = scheme.envelope(of: id) ?? .empty
    let frame = MapFrame(
      center: extent.center, scale: scheme.level(id.level)?.scale ?? 1, width: 256, height: 256,
      spatialReference: .webMercator, properties: .webMercator)
    return MapPictureRequest(frame: frame, pixelRatio: 2, concurrency: 1)
  }
}
