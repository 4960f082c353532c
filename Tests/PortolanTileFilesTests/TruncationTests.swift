import Foundation
import PortolanGeometry
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileFiles

@Suite(.temporaryDirectory) struct TruncationTests {
  private static let description = TilePackageDescription(
    name: "n", fullExtent: Envelope(xMin: -1, yMin: -1, xMax: 1, yMax: 1))

  /// A file of a format with some hundred tiles, and its tail cut off.
  private func cut(_ name: String, keeping share: Double) throws -> URL {
    let url = temporaryDirectory.appending(path: name)
    let tiles = (0..<256).map { index in
      let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      return (TileID(level: 4, row: index / 16, column: index % 16), png + Data(count: 900 + index))
    }
    if name.hasSuffix("pmtiles") {
      var writer = try PMTilesWriter(at: url, Self.description)
      for (id, tile) in tiles { try writer.add(tile, at: id) }
      try writer.finish()
    } else {
      var writer = try MBTilesWriter(at: url, Self.description)
      for (id, tile) in tiles { try writer.add(tile, at: id) }
      try writer.finish()
    }
    let data = try Data(contentsOf: url)
    try data.prefix(Int(Double(data.count) * share)).write(to: url)
    return url
  }

  @Test func `Half a PMTiles file opens with a warning`() throws {
    let whole = try TileFile.open(cut("a.pmtiles", keeping: 1)).sources
    #expect(whole.map(\.info.warnings) == [[]])
    let half = try TileFile.open(cut("a.pmtiles", keeping: 0.5)).sources
    #expect(half.first?.info.warnings.count == 1)
    #expect(half.first?.info.warnings.first?.contains("so that tiles are missing") == true)
  }

  @Test func `Half an MBTiles file is refused`() throws {
    _ = try TileFile.open(cut("a.mbtiles", keeping: 1))
    #expect(throws: TileError.self) { try TileFile.open(cut("a.mbtiles", keeping: 0.5)) }
  }
}
