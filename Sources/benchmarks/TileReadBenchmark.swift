import Foundation
import PortolanArchives
import PortolanTileFiles
import PortolanTiles

/// Random tiles of level 7 out of a package of 322 MB, warm.
struct TileReadBenchmark: BenchmarkSuite {
  let name = "tiles"

  private static let count = 100_000

  func run(_ bed: BenchmarkBed) async throws {
    let bundle = bed.data("pack/tpkx/tile/L07/R0000C0000.bundle").path(percentEncoded: false)
    let database = bed.data("pack/t.mbtiles").path(percentEncoded: false)
    await Contest(
      job: "One tile out of a .tpkx, bytes only",
      contenders: [
        try reading("Portolan, .tpkx, mapped", bed.data("pack/t.tpkx"), .mapped),
        try lending("Portolan, .tpkx, mapped, lent", bed.data("pack/t.tpkx")),
        try reading("Portolan, .tpkx, copying", bed.data("pack/t.tpkx"), .copying),
        try reading("Portolan, unpacked folder, mapped", bed.data("pack/tpkx"), .mapped),
        try await reading("Portolan, .mbtiles, mapped", bed, as: .mbtiles),
        try await reading("Portolan, .pmtiles, mapped", bed, as: .pmtiles),
        bed.floor("C floor: bundle, mmap and copy", "floor_read bundle-mmap \(bundle) 100000"),
        bed.floor("C floor: bundle, pread", "floor_read bundle \(bundle) 100000"),
        bed.floor("C floor: SQLite, mmap", "floor_read sqlite-mmap \(database) 100000"),
        bed.peer("Python: bundle, pread", script: "bench_read.py", row: "python: bundle pread"),
        bed.peer("Python: lmdb", script: "bench_read.py", row: "python: lmdb"),
        lentByLMDB(bed),
        bed.peer(
          "Python: sqlite3, MBTiles", script: "bench_read.py", row: "python: sqlite3 MBTiles"),
      ]
    ).run(on: bed)
  }

  private func reading(
    _ name: String, _ url: URL, _ access: FileByteSource.Access
  ) throws -> Contender {
    reading(name, try TilePackage.open(url, access: access))
  }

  /// Tiles whose bytes are looked at where they are; the first and the last of each are read.
  private func lending(_ name: String, _ url: URL) throws -> Contender {
    let source: any TileSource = try TilePackage.open(url, access: .mapped)
    return .ours(name, count: Self.count) {
      var random = RandomNumbers()
      var sum = 0
      for _ in 0..<Self.count {
        let id = Self.place(&random)
        let ends = try await source.withTile(at: id) { bytes, _ in
          bytes.withUnsafeBytes { Int($0[0]) + Int($0[$0.count - 1]) }
        }
        guard let ends else { throw BenchmarkError("\(source.info.name) has no tile \(id)") }
        sum += ends
      }
      guard sum > 0 else { throw BenchmarkError("no bytes were read") }
    }
  }

  /// lmdb handing out views of its map instead of copies, the first and last byte read likewise.
  private func lentByLMDB(_ bed: BenchmarkBed) -> Contender {
    let script = """
      import lmdb, random, time
      random.seed(1)
      XY = [(random.randrange(128), random.randrange(128)) for _ in range(20000)]
      e = lmdb.open('\(bed.data("pack/lmdb").path(percentEncoded: false))', map_size=2**30)
      def run():
          with e.begin(buffers=True) as t:
              for x, y in XY:
                  b = t.get(b'%d/%d' % (x, y)); b[0] + b[-1]
      run(); s = time.perf_counter(); run(); print((time.perf_counter() - s) / len(XY) * 1e6, 'us')
      """
    let python = bed.folder.appending(path: "../venv/bin/python").path(percentEncoded: false)
    return .command("Python: lmdb, lent", "\(python) -c \"\(script)\"", /([\d.]+) us/)
  }

  /// The same tiles in a file of another kind, which is made where it is absent.
  private func reading(
    _ name: String, _ bed: BenchmarkBed, as format: TileFileFormat
  ) async throws -> Contender {
    let url = bed.data("pack/portolan.\(format.rawValue)")
    if !FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) {
      let package = try TilePackage.open(bed.data("pack/t.tpkx"), access: .mapped)
      _ = try await TileConversion(from: package, to: url, as: format).run()
    }
    guard let source = try TileFile.open(url, access: .mapped).sources.first else {
      throw BenchmarkError("\(url.lastPathComponent) has no tiles")
    }
    return reading(name, source)
  }

  private func reading(_ name: String, _ source: any TileSource) -> Contender {
    .ours(name, count: Self.count) {
      var random = RandomNumbers()
      for _ in 0..<Self.count {
        let id = Self.place(&random)
        guard let tile = try await source.tile(at: id), !tile.data.isEmpty else {
          throw BenchmarkError("\(source.info.name) has no tile \(id)")
        }
      }
    }
  }

  private static func place(_ random: inout RandomNumbers) -> TileID {
    let number = Int(random.next())
    return TileID(level: 7, row: (number >> 8) & 127, column: number & 127)
  }
}
