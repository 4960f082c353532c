import Foundation
import PortolanImages
import PortolanTiles

/// Tiles of level 8 from their parents, PNG to PNG and PNG to pixels (7).
///
/// As the rivals do, each reads a parent from memory, decodes it, and makes one child of it: there
/// are more parents than are kept decoded.
struct OverzoomBenchmark {
  private static let parentCount = 300
  private static let script = "bench_overzoom.py"

  func run(_ bed: BenchmarkBed) async throws {
    let source = try Self.source(bed.data("tiles"))
    let tiles = bed.data("tiles").path(percentEncoded: false)
    await Contest(
      job: "A tile from its parent, nearest, PNG to PNG"
        + " (\(try await Self.meanSize(source, .nearest)) bytes)",
      contenders: [
        Self.files("Portolan, nearest", source, .nearest),
        bed.floor("C floor: palette kept, nearest", "floor_overzoom \(tiles) 3000 1 1"),
        bed.peer("Pillow palette, nearest", script: Self.script, row: "Pillow palette nearest"),
      ]
    ).run(on: bed)
    await Contest(
      job: "A tile from its parent, smooth, PNG to PNG"
        + " (\(try await Self.meanSize(source, .bilinear)) bytes)",
      contenders: [
        Self.files("Portolan, bilinear", source, .bilinear),
        bed.peer("libvips linear", script: Self.script, row: "libvips linear"),
        bed.peer(
          "Pillow RGB bilinear, zlib 1", script: Self.script, row: "Pillow RGB bilinear, zlib 1"),
      ]
    ).run(on: bed)
    try await pixels(bed, source, tiles)
  }

  private func pixels(
    _ bed: BenchmarkBed, _ source: InMemoryTileSource, _ tiles: String
  ) async throws {
    await Contest(
      job: "A tile from its parent, nearest, PNG to pixels",
      contenders: [
        Self.pixels("Portolan, nearest", source, .nearest),
        bed.floor("C floor: nearest", "floor_overzoom \(tiles) 3000 -1 1"),
        bed.peer("Pillow RGBA, nearest", script: Self.script, row: "Pillow RGBA nearest"),
      ]
    ).run(on: bed)
    await Contest(
      job: "A tile from its parent, smooth, PNG to pixels",
      contenders: [
        Self.pixels("Portolan, bilinear", source, .bilinear),
        bed.peer("Pillow RGBA, bilinear", script: Self.script, row: "Pillow RGBA bilinear"),
      ]
    ).run(on: bed)
    await Contest(
      job: "The four tiles under each parent, nearest, PNG to pixels, each",
      contenders: [
        Self.pixels("Portolan, all four", source, .nearest, children: 4),
        Self.pixels("Portolan, one of them", source, .nearest),
      ]
    ).run(on: bed)
  }

  /// The parents that the rivals take too.
  private static func source(_ folder: URL) throws -> InMemoryTileSource {
    var tiles: [TileID: Tile] = [:]
    for index in 0..<parentCount {
      let (column, row) = (index * 37 & 127, index * 91 & 127)
      let data = try Data(contentsOf: folder.appending(path: "7/\(column)/\(row).png"))
      tiles[parent(index)] = Tile(data: data, format: .png)
    }
    return InMemoryTileSource(
      info: TileSourceInfo(
        name: "tiles", scheme: .webMercator(tileSide: 256, levels: 0...7), levels: 0...7,
        declaredFormat: "PNG"),
      tiles: tiles)
  }

  private static func parent(_ index: Int) -> TileID {
    TileID(level: 7, row: index * 91 & 127, column: index * 37 & 127)
  }

  /// The child that the rivals take first, and those beside it.
  private static func children(_ index: Int, _ count: Int) -> [TileID] {
    let parent = parent(index)
    let (right, below) = (index * 7 & 1, index * 13 & 1)
    return (0..<count).map { number in
      TileID(
        level: 8, row: parent.row * 2 + (below ^ number >> 1),
        column: parent.column * 2 + (right ^ number & 1))
    }
  }

  private static func files(
    _ name: String, _ source: InMemoryTileSource, _ resampling: OverzoomedTileSource.Resampling
  ) -> Contender {
    .ours(name, count: parentCount) {
      let tiles = OverzoomedTileSource(source, to: 8, resampling: resampling)
      for index in 0..<parentCount {
        for id in children(index, 1) { _ = try await tiles.tile(at: id) }
      }
    }
  }

  private static func pixels(
    _ name: String, _ source: InMemoryTileSource, _ resampling: OverzoomedTileSource.Resampling,
    children count: Int = 1
  ) -> Contender {
    .ours(name, count: parentCount * count) {
      let tiles = OverzoomedTileSource(source, to: 8, resampling: resampling)
      for index in 0..<parentCount {
        for id in children(index, count) { _ = try await tiles.image(at: id) }
      }
    }
  }

  private static func meanSize(
    _ source: InMemoryTileSource, _ resampling: OverzoomedTileSource.Resampling
  ) async throws -> Int {
    let tiles = OverzoomedTileSource(source, to: 8, resampling: resampling)
    var size = 0
    for index in 0..<parentCount {
      for id in children(index, 1) { size += try await tiles.tile(at: id)?.data.count ?? 0 }
    }
    return size / parentCount
  }
}
