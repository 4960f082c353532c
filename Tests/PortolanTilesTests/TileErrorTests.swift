import PortolanTiles
import Testing

/// The messages about tiles that are not as they should be.
@Suite struct TileErrorTests {
  @Test(arguments: [
    (
      TileError.damagedTile(
        TileID(level: 3, row: 2, column: 1), file: "a.pmtiles", reason: "it is cut"),
      "Tile 3/1/2 of a.pmtiles is damaged: it is cut."
    ),
    (.noTiles(file: "a.tpkx"), "a.tpkx holds no tiles."),
    (.nothingToWrite(file: "a.tpkx"), "a.tpkx was not made: there are no tiles for it."),
    (
      .noTiles(file: "a", kind: "tiles in Web Mercator"),
      "a holds no tiles in Web Mercator."
    ),
    (.alreadyExists(file: "a.tpkx"), "a.tpkx exists already."),
    (.unknownEnding(file: "a.txt"), "The name a.txt ends like that of no file of tiles."),
    (
      .unknownEnding(file: "a.VTPK"),
      "Tiles alone do not make a vector tile package, such as a.VTPK."
    ),
    (.holdsPictures(file: "a.tpkx"), "a.tpkx cannot hold vector tiles, only pictures."),
    (
      .unsupported(file: "a.tpkx", reason: "it is no file of tiles in a known format"),
      "a.tpkx cannot be used: it is no file of tiles in a known format."
    ),
    (
      .cannotHold(file: "a.tpkx", reason: "their pixels are not square"),
      "a.tpkx cannot hold these tiles: their pixels are not square."
    ),
  ])
  func `Tiles are named as in addresses, and sentences are plain`(
    _ error: TileError, _ sentence: String
  ) {
    #expect(error.errorDescription == sentence)
  }

  @Test func `The advice for a vector tile package names what tiles can be written as`() {
    let advice = TileError.unknownEnding(file: "a.vtpk").recoverySuggestion
    #expect(advice == "Let its name end in .mbtiles or .pmtiles: a .vtpk needs the style as well.")
  }
}
