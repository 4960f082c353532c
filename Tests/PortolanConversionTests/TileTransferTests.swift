import Foundation
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

@testable import PortolanConversion

@Suite(.temporaryDirectory) struct TileTransferTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  @Test(.needsSharedFiles, arguments: ["mbtiles", "pmtiles", "tpkx", "tpk"])
  func `Tiles that can be read arrive, the others are listed`(ending: String) async throws {
    let input = SharedFiles.url("samples/tile-packages/Usa.tpkx")
    let source = try #require(try TileFile.open(input).sources.first)
    let target = url("usa.\(ending)")
    let result = try await Conversion(of: .tiles([source]), at: input, to: target).run()
    #expect(result.tileSets.map(\.counts) == [[2: 4, 3: 9, 4: 30, 5: 99]])
    #expect(result.failures.map(\.item) == ["tile 0/0/0", "tile 1/0/0"])
    #expect(!result.isComplete)
    #expect(try filesLeft() == ["usa.\(ending)"])
    let copy = try #require(try TileFile.open(target).sources.first)
    for try await id in copy.tileIDs {
      #expect(try await copy.tile(at: id)?.data == source.tile(at: id)?.data)
    }
  }

  @Test(.needsSharedFiles) func `Tiles do not become features`() async throws {
    let input = SharedFiles.url("samples/tile-packages/Usa.tpkx")
    let source = try #require(try TileFile.open(input).sources.first)
    for name in ["a.gpkg", "a.geojson", "a"] {
      await #expect(
        throws: ConversionError.wrongTarget(file: name, source: "set of tiles")
      ) {
        try await Conversion(of: .tiles([source]), at: input, to: url(name)).run()
      }
    }
    #expect(try filesLeft() == [])
  }
}
