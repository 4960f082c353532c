import Foundation
import PortolanArchives
import PortolanTileFiles
import PortolanTiles

/// Random tiles of level 7 out of a package of 322 MB, warm (PERFORMANCE.md, 4).
struct TileReadBenchmark: BenchmarkSuite {
  let name = "tiles"

  private static let count = 100_000

  func run(_ bed: BenchmarkBed) async throws {
    let bundle = bed.data("pack/tpkx/tile/L07/R0000C0000.bundle").path(percentEncoded: false)
    await Contest(
      job: "One tile out of a .tpkx, bytes only",
      contenders: [
        try reading("Portolan, .tpkx, mapped", bed.data("pack/t.tpkx"), .mapped),
        try reading("Portolan, .tpkx, copying", bed.data("pack/t.tpkx"), .copying),
        try reading("Portolan, unpacked folder, mapped", bed.data("pack/tpkx"), .mapped),
        bed.floor("C floor: bundle, mmap and copy", "floor_read bundle-mmap \(bundle) 100000"),
        bed.floor("C floor: bundle, pread", "floor_read bundle \(bundle) 100000"),
        bed.peer("Python: bundle, pread", script: "bench_read.py", row: "python: bundle pread"),
        bed.peer("Python: lmdb", script: "bench_read.py", row: "python: lmdb"),
        bed.peer(
          "Python: sqlite3, MBTiles", script: "bench_read.py", row: "python: sqlite3 MBTiles"),
      ]
    ).run(rounds: bed.rounds)
  }

  private func reading(
    _ name: String, _ url: URL, _ access: FileByteSource.Access
  ) throws -> Contender {
    let package = try TilePackage.open(url, access: access)
    return .ours(name, count: Self.count) {
      var random = RandomNumbers()
      for _ in 0..<Self.count {
        let number = Int(random.next())
        let id = TileID(level: 7, row: (number >> 8) & 127, column: number & 127)
        guard let tile = try package.tile(at: id), !tile.data.isEmpty else {
          throw BenchmarkError("\(url.lastPathComponent) has no tile \(id)")
        }
      }
    }
  }
}
