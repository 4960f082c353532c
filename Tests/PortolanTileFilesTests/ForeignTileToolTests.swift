import Foundation
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

/// The verdicts of other programs on files of tiles that were written here.
///
/// GDAL comes with the PyPI packages rasterio and pyogrio, the tools for PMTiles with pmtiles.
@Suite(.temporaryDirectory, .needsSharedFiles) struct ForeignTileToolTests {
  private func convert(_ sample: String, to name: String) async throws -> String {
    let source = try #require(
      try TileFile.open(SharedFiles.url("samples/" + sample)).sources.first)
    let target = temporaryDirectory.appending(path: name)
    let format = try #require(TileFileFormat(pathExtension: target.pathExtension))
    _ = try await TileConversion(from: source, to: target, as: format).run()
    return target.path(percentEncoded: false)
  }

  @Test(.needsPython("rasterio")) func `GDAL sees the same pixels in every kind of file`()
    async throws
  {
    let cache = "tile-packages/compact-cache-v2"
    var files: [String] = []
    for name in ["a.tpkx", "a.mbtiles"] { files.append(try await convert(cache, to: name)) }
    files.append("/vsizip/{" + (try await convert(cache, to: "a.tpk")) + "}/v101/Layers/conf.xml")
    let original = SharedFiles.url("samples/\(cache)/conf.xml")
    try expectSilence(
      """
      import sys, rasterio
      def pixels(name):
          with rasterio.open(name) as file:
              # The finest level that has tiles is 1024 pixels wide; GDAL may offer finer ones.
              return file.read(indexes=[1, 2, 3], out_shape=(3, 1024, 1024))
      first = pixels(sys.argv[1])
      assert first.any()
      for name in sys.argv[2:]:
          assert (pixels(name) == first).all(), name
      """, [original.path(percentEncoded: false)] + files)
  }

  @Test(.needsPython("pyogrio")) func `GDAL sees the same features in every kind of file`()
    async throws
  {
    let sample = "pmtiles/ne_10m_admin_0_france.pmtiles"
    var files = [SharedFiles.url("samples/" + sample).path(percentEncoded: false)]
    for name in ["a.pmtiles", "a.mbtiles"] { files.append(try await convert(sample, to: name)) }
    try expectSilence(
      """
      import sys, pyogrio
      def features(name):
          layers = [str(row[0]) for row in pyogrio.list_layers(name)]
          counts = [pyogrio.read_info(name, layer=layer)["features"] for layer in layers]
          fields = [list(pyogrio.read_info(name, layer=layer)["fields"]) for layer in layers]
          return layers, counts, fields
      first = features(sys.argv[1])
      assert first[0] and all(first[1]), first
      for name in sys.argv[2:]:
          assert features(name) == first, (features(name), first)
      """, files)
  }

  @Test(
    .needsPython("pmtiles"),
    arguments: [
      "tile-packages/Usa.tpkx", "tile-packages/dodge_city.vtpk", "geopackage/js-example.gpkg",
    ])
  func `The reader of PMTiles's authors finds the same tiles`(_ sample: String) async throws {
    let archive = try await convert(sample, to: "a.pmtiles")
    let database = try await convert(sample, to: "a.mbtiles")
    try expectSilence(
      """
      import sqlite3, sys
      from pmtiles.reader import Reader, MmapSource, all_tiles
      source = MmapSource(open(sys.argv[1], "rb"))
      reader = Reader(source)
      rows = sqlite3.connect(sys.argv[2]).execute(
          "SELECT zoom_level, tile_column, (1 << zoom_level) - 1 - tile_row, tile_data FROM tiles")
      tiles = {(z, x, y): data for z, x, y, data in rows}
      assert tiles
      for place, data in tiles.items():
          assert reader.get(*place) == data, place
      assert {place for place, data in all_tiles(source)} == set(tiles)
      header = reader.header()
      assert header["clustered"], header
      assert header["addressed_tiles_count"] == len(tiles), header
      assert header["tile_contents_count"] == len(set(tiles.values())), header
      """, [archive, database])
  }

  @Test(.needsTool("pmtiles-show"), .needsTool("pmtiles-convert"))
  func `The tools for PMTiles show and convert an archive`() async throws {
    let archive = try await convert("tile-packages/Usa.tpkx", to: "a.pmtiles")
    let shown = try Tool.run("pmtiles-show", archive)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("Usa"))
    let other = temporaryDirectory.appending(path: "b.mbtiles")
    let result = try Tool.run("pmtiles-convert", archive, other.path(percentEncoded: false))
    #expect(result.status == 0, "\(result.errors)")
    let ours = try PMTilesFile.open(URL(filePath: archive))
    let theirs = try MBTilesFile.open(other)
    #expect(try ours.tileCounts() == theirs.tileCounts())
    for try await id in ours.tileIDs {
      #expect(try ours.tile(at: id) == theirs.tile(at: id), "\(id)")
    }
  }

  private func expectSilence(_ script: String, _ arguments: [String]) throws {
    let result = try Tool.run("python3", ["-c", script] + arguments)
    #expect(result.status == 0, "\(result.errors)")
  }
}
