import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanPackages
import PortolanTileFiles
import PortolanTiles

/// Opening packages, alone and by the hundred.
struct OpenBenchmark: BenchmarkSuite {
  let name = "open"

  func run(_ bed: BenchmarkBed) async throws {
    let library = bed.data("library")
    try await LibraryScan(library: library).run(bed)
    let files = try FileManager.default.contentsOfDirectory(
      at: library, includingPropertiesForKeys: nil)
    let folder = library.path(percentEncoded: false)
    let packages = files.filter { ["mmpk", "tpkx"].contains($0.pathExtension) }
    await Contest(
      job: "Reading what \(packages.count) packages (.tpkx, .mmpk) say of themselves, each",
      contenders: [
        scan(packages),
        python("Python: zipfile and json", folder),
      ]
    ).run(on: bed)
    await Contest(
      job: "Opening a package of 322 MB and reading a tile",
      contenders: [
        .ours("Portolan, .tpkx", count: 200) {
          for _ in 0..<200 {
            let package = try TilePackage.open(bed.data("pack/t.tpkx"))
            _ = try package.tile(at: TileID(level: 7, row: 3, column: 5))
          }
        },
        bed.peer(
          "Python: zipfile, root.json", script: "bench_open.py",
          row: "python zipfile: 320 MB tpkx, root.json"),
        bed.peer(
          "rasterio (GDAL 3.10)", script: "bench_open.py", row: "rasterio open tpkx"),
      ]
    ).run(on: bed)
    try await identify(bed)
  }

  private func scan(_ packages: [URL]) -> Contender {
    .ours("Portolan", count: packages.count) {
      for url in packages {
        switch url.pathExtension {
        case "tpkx": _ = try TilePackage.open(url).itemInformation()
        default:
          _ = try await MobileMapPackage.open(
            at: url, unpackingInto: FileManager.default.temporaryDirectory, now: Date())
        }
      }
    }
  }

  private func python(_ name: String, _ folder: String) -> Contender {
    let script = """
      import time, os, zipfile, json
      F = [e.path for e in os.scandir('\(folder)') if e.name.endswith(('tpkx', 'mmpk'))]
      t = time.perf_counter()
      for p in F:
          with zipfile.ZipFile(p) as z:
              if p.endswith('tpkx'): json.loads(z.read('root.json')); json.loads(z.read('iteminfo.json'))
              else: json.loads(z.read('package.info')); json.loads(z.read('p20/map.mmap'))
      print((time.perf_counter() - t) / len(F) * 1e6, 'us')
      """
    return .command(name, "/usr/bin/python3 -c \"\(script)\"", /([\d.]+) us/)
  }

  private func identify(_ bed: BenchmarkBed) async throws {
    let url = bed.data("local/polys.geodatabase")
    try ParcelGeodatabase.make(at: url)
    await Contest(
      job: "Opening a geodatabase of 1,000,000 polygons and answering an identify",
      contenders: [
        firstIdentify("Portolan", url),
        bed.peer(
          "pyogrio read_info, GeoPackage", script: "bench_open.py",
          row: "pyogrio read_info 1M-polygon GeoPackage"),
        bed.peer(
          "Python: sqlite3, GeoPackage", script: "bench_open.py",
          row: "python sqlite3: 1M-polygon GeoPackage, gpkg_contents"),
      ]
    ).run(on: bed)
  }

  private func firstIdentify(_ name: String, _ url: URL) -> Contender {
    .ours(name, count: 100) {
      for _ in 0..<100 {
        let reader = try GeodatabaseReader(at: url)
        _ = try reader.objectIDs(
          in: "polys", touching: Coordinate(x: 1_000_015, y: 6_000_015), within: 0)
      }
    }
  }
}
