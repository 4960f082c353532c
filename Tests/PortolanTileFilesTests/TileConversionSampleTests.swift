import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

/// Files of others become every kind of file, tile by tile the same.
@Suite(.temporaryDirectory, .needsSharedFiles) struct TileConversionSampleTests {
  static let pictures = [
    "tile-packages/Usa.tpkx", "tile-packages/compact-cache-v2",
    "preplanned-package/canyonlands/p13/07a691d9-dbdf-4fa2-bda1-021481fdbe8d.tpk",
    "mbtiles/byte.mbtiles", "mbtiles/byte_jpeg.mbtiles", "mbtiles/world_l1.mbtiles",
    "pmtiles/unclustered.pmtiles", "geopackage/js-example.gpkg", "geopackage/java_example.gpkg",
  ]
  static let vectors = [
    "tile-packages/dodge_city.vtpk", "pmtiles/ne_10m_admin_0_france.pmtiles",
    "pmtiles/ne_10m_admin_0_france_with_leaf_dir.pmtiles", "pmtiles/poly.pmtiles",
    "pmtiles/poly_with_leaf_dir.pmtiles", "pmtiles/test_fixture_1.pmtiles",
    "pmtiles/subset7_truncated.pmtiles",
  ]

  private func convert(
    _ source: any TileSource, to format: TileFileFormat
  ) async throws -> TileConversionSummary {
    let target = temporaryDirectory.appending(path: "converted.\(format.rawValue)")
    let summary = try await TileConversion(from: source, to: target, as: format).run()
    let converted = try #require(try TileFile.open(target).sources.first)
    #expect(try await converted.tileCounts() == summary.tileCounts)
    let isQuad = format == .mbtiles || format == .pmtiles
    let quad = WebMercatorQuad(matching: source.info.scheme)
    var count = 0
    var damagedCount = 0
    for try await id in source.tileIDs {
      guard let target = isQuad ? quad.tile(for: id) : id else { continue }
      do {
        let tile = try #require(try await source.tile(at: id))
        #expect(try await converted.tile(at: target) == tile, "\(id)")
        count += 1
      } catch is TileError {
        damagedCount += 1
      }
    }
    #expect(count == summary.tileCount)
    #expect(damagedCount == summary.damagedCount)
    return summary
  }

  @Test(arguments: pictures, TileFileFormat.allCases)
  func `Pictures become any kind of file`(_ name: String, _ format: TileFileFormat) async throws {
    for source in try TileFile.open(SharedFiles.url("samples/" + name)).sources {
      let isQuad = format == .mbtiles || format == .pmtiles
      let isRefused =
        isQuad
        ? WebMercatorQuad(matching: source.info.scheme).isEmpty
        : source.info.declaredFormat == "webp"
          || source.info.scheme.levels.contains { $0.verticalResolution != nil }
      guard isRefused else {
        let summary = try await convert(source, to: format)
        #expect(summary.damagedCount == (name.hasSuffix("Usa.tpkx") ? 2 : 0))
        continue
      }
      let error = await #expect(throws: TileError.self) { try await convert(source, to: format) }
      guard case .cannotHold = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test(arguments: vectors, [TileFileFormat.mbtiles, .pmtiles])
  func `Vector tiles become either kind of file`(
    _ name: String, _ format: TileFileFormat
  ) async throws {
    let source = try #require(
      try TileFile.open(SharedFiles.url("samples/" + name)).sources.first)
    let summary = try await convert(source, to: format)
    let isCut = name.hasSuffix("truncated.pmtiles")
    #expect((summary.damagedCount > 0) == isCut)
    let converted = temporaryDirectory.appending(path: "converted.\(format.rawValue)")
    let metadata = try await TileFile.open(converted).sources.first?.metadata()
    let original = try await source.metadata()
    #expect(metadata?["vector_layers"] == original?["vector_layers"] ?? [])
  }

  @Test func `A vector tile package leaves its style behind, and says so`() async throws {
    let package = try VectorTilePackage.open(
      SharedFiles.url("samples/tile-packages/dodge_city.vtpk"))
    let summary = try await convert(package, to: .pmtiles)
    #expect(summary.limitations == [.styleLeftOut])
  }

  @Test(arguments: [TileFileFormat.tpk, .tpkx])
  func `Vector tiles do not become a tile package of pictures`(
    _ format: TileFileFormat
  ) async throws {
    let source = try #require(
      try TileFile.open(SharedFiles.url("samples/pmtiles/poly.pmtiles")).sources.first)
    let error = await #expect(throws: TileError.self) { try await convert(source, to: format) }
    #expect(error?.localizedDescription.contains("vector tiles") == true)
  }
}
