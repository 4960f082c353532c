import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileFiles

/// A way to keep the sample pyramid.
enum Container: String, CaseIterable, CustomTestStringConvertible {
  case memory
  case compactV1
  case compactV2
  case exploded
  case tilePackage
  case olderTilePackage
  case mbtiles
  case mbtilesView
  case mbtilesWithoutIndex
  case pmtiles
  case pmtilesOutOfOrder
  case tileFolder

  var testDescription: String { rawValue }

  /// Writes the pyramid into `folder` and opens what was written.
  func source(in folder: URL, access: FileByteSource.Access) throws -> any TileSource {
    let tiles = SamplePyramid.tiles
    let builder = CacheBuilder(folder: folder)
    switch self {
    case .memory:
      return InMemoryTileSource(
        info: TileSourceInfo(
          name: "memory", scheme: .webMercator, levels: 0...9, declaredFormat: "PNG8"),
        tiles: tiles.mapValues { Tile(data: $0, format: .png) })
    case .compactV1: try builder.writeCompactV1(tiles)
    case .compactV2: try builder.writeCompactV2(tiles)
    case .exploded: try builder.writeExploded(tiles)
    case .tilePackage:
      let file = folder.appending(path: "sample.tpkx")
      try SamplePyramid.writePackage(to: file)
      return try TilePackage.open(file, access: access)
    case .olderTilePackage:
      let file = folder.appending(path: "sample.tpk")
      try SamplePyramid.writePackage(to: file, layout: .tpk)
      return try TilePackage.open(file, access: access)
    case .mbtiles, .mbtilesView, .mbtilesWithoutIndex:
      return try mbtiles(at: folder.appending(path: "sample.mbtiles"))
    case .pmtiles, .pmtilesOutOfOrder:
      let file = folder.appending(path: "sample.pmtiles")
      let ids = SamplePyramid.tiles.keys.sorted()
      try SamplePyramid.writePMTiles(to: file, ids: self == .pmtiles ? ids : ids.reversed())
      return try PMTilesFile.open(file, access: access)
    case .tileFolder:
      try TileFolderBuilder(folder).write(tiles)
      return try TileFolderSource.open(folder)
    }
    return try TilePackage.open(folder, access: access)
  }

  private func mbtiles(at file: URL) throws -> MBTilesFile {
    switch self {
    case .mbtilesView: try MBTilesBuilder.writeView(SamplePyramid.tiles, to: file)
    case .mbtilesWithoutIndex: try MBTilesBuilder.writeTable(SamplePyramid.tiles, to: file)
    default: try SamplePyramid.writeMBTiles(to: file)
    }
    return try MBTilesFile.open(file)
  }

  /// The declared format of the source's tiles.
  var declaredFormat: String {
    switch self {
    case .memory, .compactV1, .compactV2, .exploded, .tilePackage, .olderTilePackage: "PNG8"
    case .mbtiles, .mbtilesView, .mbtilesWithoutIndex, .pmtiles, .pmtilesOutOfOrder,
      .tileFolder:
      "png"
    }
  }
}

/// The contract of every tile source, whatever keeps the tiles.
@Suite(.temporaryDirectory) struct TileSourceContractTests {
  @Test(arguments: Container.allCases, [FileByteSource.Access.copying, .mapped])
  func `Tiles are found where they are, and nowhere else`(
    _ container: Container, _ access: FileByteSource.Access
  ) async throws {
    let source = try container.source(in: temporaryDirectory, access: access)
    for (id, tile) in SamplePyramid.tiles {
      let found = try await source.tile(at: id)
      #expect(found == Tile(data: tile, format: .png), "\(id)")
      #expect(found?.data.startIndex == 0)
      let lent = try await source.withTile(at: id) { bytes, format in
        Tile(data: bytes.withUnsafeBytes { Data($0) }, format: format)
      }
      #expect(lent == found, "\(id)")
    }
    for id in SamplePyramid.absent {
      #expect(try await source.tile(at: id) == nil, "\(id)")
      #expect(try await source.withTile(at: id) { _, format in format } == nil, "\(id)")
    }
  }

  @Test(arguments: Container.allCases)
  func `Tiles are counted by level`(_ container: Container) async throws {
    let source = try container.source(in: temporaryDirectory, access: .copying)
    #expect(try await source.tileCounts() == SamplePyramid.counts)
    #expect(source.info.levels == 0...9)
    #expect(source.info.scheme.level(9) != nil)
    #expect(source.info.declaredFormat == container.declaredFormat)
  }

  @Test(arguments: Container.allCases)
  func `Tiles are listed, each once`(_ container: Container) async throws {
    let source = try container.source(in: temporaryDirectory, access: .copying)
    var ids: [TileID] = []
    for try await id in source.tileIDs { ids.append(id) }
    #expect(ids.count == SamplePyramid.tiles.count)
    #expect(Set(ids) == Set(SamplePyramid.tiles.keys))
  }

  @Test(arguments: Container.allCases)
  func `Many tasks read at a time`(_ container: Container) async throws {
    let source = try container.source(in: temporaryDirectory, access: .mapped)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for (id, tile) in SamplePyramid.tiles {
            let found = try await source.tile(at: id)
            #expect(found?.data == tile)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
