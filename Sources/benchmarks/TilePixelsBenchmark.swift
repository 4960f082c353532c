import PortolanArchives
import PortolanImages
import PortolanTileFiles
import PortolanTiles

/// Random tiles out of packages, decoded to pixels.
struct TilePixelsBenchmark: BenchmarkSuite {
  private static let count = 2_000

  let name = "pixels"

  func run(_ bed: BenchmarkBed) async throws {
    let package = try TilePackage.open(bed.data("pack/t.tpkx"), access: .mapped)
    let database = try TileFile.open(bed.data("pack/t.mbtiles"), access: .mapped).sources
    await Contest(
      job: "Tiles of level 7, decoded to pixels",
      contenders: [
        Self.decoding("Portolan, .tpkx, mapped", package),
        Self.decoding("Portolan, .mbtiles, mapped", database.first ?? package),
        bed.peer(
          "GDAL 3.10, .tpkx", script: "bench_read.py", row: "GDAL 3.10 ESRIC .tpkx"),
        bed.peer(
          "GDAL 3.10, MBTiles", script: "bench_read.py",
          row: "GDAL 3.10 MBTiles, read 256x256 RGBA"),
        bed.peer(
          "Python: sqlite3 and Pillow", script: "bench_read.py", row: "python sqlite3 + Pillow RGBA"
        ),
      ]
    ).run(on: bed)
  }

  private static func decoding(_ name: String, _ source: any TileSource) -> Contender {
    .ours(name, count: count) {
      var random = RandomNumbers()
      for _ in 0..<count {
        let number = Int(random.next())
        let id = TileID(level: 7, row: (number >> 8) & 127, column: number & 127)
        guard let tile = try await source.tile(at: id) else {
          throw BenchmarkError("\(source.info.name) has no tile \(id)")
        }
        let image = try PixelImage(decoding: tile.data)
        guard image.width == 256, image.height == 256 else {
          throw BenchmarkError("tile \(id) has another size")
        }
      }
    }
  }
}
