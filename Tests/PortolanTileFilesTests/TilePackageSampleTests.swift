import Foundation
import PortolanGeometry
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

/// Packages and caches that ArcGIS wrote.
@Suite(.needsSharedFiles) struct TilePackageSampleTests {
  static func open(_ name: String) throws -> TilePackage {
    try TilePackage.open(SharedFiles.url("samples/" + name))
  }

  @Test func `A raw cache of version 2 is read in full`() throws {
    let package = try Self.open("tile-packages/compact-cache-v2")
    #expect(try package.tileCounts() == [0: 1, 1: 4, 2: 16])
    #expect(package.storageFormat == .compactV2)
    #expect(package.info.levels == 0...2)
    #expect(package.info.declaredFormat == "JPEG")
    #expect(package.info.scheme.levels.count == 20)
    #expect(package.info.name == "compact-cache-v2")
    #expect(package.info.fullExtent?.xMax == 20037507.229594339)
    for id in TileRange(level: 2, rows: 0..<4, columns: 0..<4) {
      let tile = try #require(try package.tile(at: id))
      #expect(tile.format == .jpeg)
      #expect(tile.data.suffix(2) == Data([0xFF, 0xD9]))
    }
    #expect(try package.itemInformation() == nil)
    #expect(try package.thumbnail() == nil)
  }

  @Test func `A package of version 2 is read in full but for its two damaged tiles`() throws {
    let package = try Self.open("tile-packages/Usa.tpkx")
    #expect(try package.tileCounts() == [0: 1, 1: 1, 2: 4, 3: 9, 4: 30, 5: 99])
    let extent = try #require(package.info.fullExtent)
    for level in 2...5 {
      let range = try #require(package.info.scheme.range(covering: extent, level: level))
      let tiles = try range.compactMap { try package.tile(at: $0) }
      #expect(tiles.allSatisfy { $0.format == .png })
    }
    for level in 0...1 {
      let id = TileID(level: level, row: 0, column: 0)
      let error = #expect(throws: TileError.self) { try package.tile(at: id) }
      guard case .damagedTile(id, let file, _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(file.hasSuffix("Usa.tpkx/tile/L0\(level)/R0000C0000.bundle"))
    }
  }

  @Test func `A package says what it is and what its colours mean`() throws {
    let package = try Self.open("tile-packages/Usa.tpkx")
    #expect(package.info.name == "Usa")
    #expect(package.info.levels == 0...5)
    #expect(package.info.declaredFormat == "PNG")
    #expect(package.layers.map(\.name) == ["wind", "ushigh", "counties", "states"])
    #expect(package.layers.map(\.legend.count) == [1, 1, 1, 5])
    #expect(package.layers.last?.legend.first?.label == "≤108208")
    #expect(package.layers.last?.legend.first?.image.starts(with: [0x89, 0x50]) == true)
    let item = try #require(try package.itemInformation())
    #expect(item.title == "Usa")
    #expect(item.type == "Compact Tile Package")
    #expect(item.extent?.yMax == 71.413176833965693)
    #expect(try package.thumbnail()?.count == 11673)
  }

  /// Nothing else open reads version 1: positions against the extent are the check.
  @Test func `The tiles of a package of version 1 lie over its extent`() throws {
    let package = try Self.open(
      "preplanned-package/canyonlands/p13/07a691d9-dbdf-4fa2-bda1-021481fdbe8d.tpk")
    #expect(package.storageFormat == .compact)
    #expect(package.info.levels == 10...11)
    #expect(try package.tileCounts() == [10: 12, 11: 30])
    let extent = try #require(package.info.fullExtent)
    for level in 10...11 {
      let range = try #require(package.info.scheme.range(covering: extent, level: level))
      let tiles = try range.compactMap { try package.tile(at: $0) }
      #expect(tiles.count == range.count)
      #expect(tiles.allSatisfy { $0.format == .jpeg && $0.data.suffix(2) == Data([0xFF, 0xD9]) })
    }
  }

  @Test func `A package of version 1 names its source`() throws {
    let package = try Self.open(
      "preplanned-package/canyonlands/p13/07a691d9-dbdf-4fa2-bda1-021481fdbe8d.tpk")
    #expect(package.info.name == "World Imagery")
    #expect(package.info.attribution?.hasPrefix("Source: Esri, DigitalGlobe") == true)
    #expect(package.info.scheme.spatialReference.isWebMercator)
    #expect(package.layers.count == 5)
    let item = try #require(try package.itemInformation())
    #expect(item.title == "Layers")
    #expect(item.type == "Tile Package")
    #expect(item.extent?.xMin == -110.241337290868)
    #expect(try package.thumbnail()?.count == 25315)
  }
}
