import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry

/// Finds which of a million polygons is under a point.
struct IdentifyBenchmark: BenchmarkSuite {
  let name = "identify"

  private static let count = 50_000

  func run(_ bed: BenchmarkBed) async throws {
    let url = bed.data("local/polys.geodatabase")
    try ParcelGeodatabase.make(at: url)
    let geodatabase = try Geodatabase.open(at: url)
    let package = bed.data("local/polys.gpkg").path(percentEncoded: false)
    await Contest(
      job: "One tap on 1,000,000 polygons",
      contenders: [
        lent(geodatabase, tolerance: 0, "Portolan, reader lent once"),
        single(geodatabase, "Portolan, one call a tap"),
        bed.floor("C floor: packed tree in memory", "floor_identify packed \(package) 500000"),
        bed.floor("C floor: GeoPackage R-tree", "floor_identify sqlite \(package) 50000"),
        bed.floor(
          "C floor: GeoPackage R-tree, mmap", "floor_identify sqlite-mmap \(package) 50000"),
        bed.peer("shapely STRtree, one by one", row: "shapely STRtree, one by one"),
        bed.peer("Python: sqlite3 R-tree and shapely", row: "python sqlite3 R-tree + shapely"),
        bed.peer("OGR: SetSpatialFilter", row: "OGR 3.6 SetSpatialFilter(point)"),
        bed.peer("SpatiaLite: ST_Intersects", row: "SpatiaLite ST_Intersects + R-tree"),
      ]
    ).run(on: bed)
    await Contest(
      job: "One tap with a tolerance of 10 m, beside one without",
      contenders: [
        lent(geodatabase, tolerance: 10, "Portolan, with a tolerance"),
        lent(geodatabase, tolerance: 0, "Portolan, without"),
      ]
    ).run(on: bed)
    try await first(url, bed)
  }

  /// Opening the file and its first identify.
  private func first(_ url: URL, _ bed: BenchmarkBed) async throws {
    await Contest(
      job: "Opening 1,000,000 polygons and answering the first identify",
      contenders: [
        .ours("Portolan", count: 100) {
          var random = RandomNumbers()
          for _ in 0..<100 {
            let geodatabase = try Geodatabase.open(at: url)
            _ = try await geodatabase.objectIDs(
              in: "polys", touching: Self.place(&random), within: 0, limit: 1)
          }
        }
      ]
    ).run(on: bed)
  }

  /// Taps one after the other on a reader that is lent once.
  private func lent(
    _ geodatabase: Geodatabase, tolerance: Double, _ name: String
  ) -> Contender {
    .ours(name, count: Self.count) {
      try await geodatabase.read { reader throws(FeatureStoreError) in
        var random = RandomNumbers()
        for _ in 0..<Self.count {
          let place = Self.place(&random)
          _ = try reader.objectIDs(
            in: "polys", touching: place, within: tolerance, limit: tolerance == 0 ? 1 : .max)
        }
      }
    }
  }

  /// Each tap waits for its answer, as in an app.
  private func single(_ geodatabase: Geodatabase, _ name: String) -> Contender {
    .ours(name, count: Self.count) {
      var random = RandomNumbers()
      for _ in 0..<Self.count {
        _ = try await geodatabase.objectIDs(
          in: "polys", touching: Self.place(&random), within: 0, limit: 1)
      }
    }
  }

  private static func place(_ random: inout RandomNumbers) -> Coordinate {
    let x = 1e6 + random.fraction() * 30_000
    return Coordinate(x: x, y: 6e6 + random.fraction() * 30_000)
  }
}

extension BenchmarkBed {
  fileprivate func peer(_ name: String, row: String) -> Contender {
    peer(name, script: "bench_identify.py", row: row)
  }
}
