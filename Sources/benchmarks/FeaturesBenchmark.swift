import Foundation

/// Bringing the 200,000 features of a layer of a service into a GeoPackage, beside a floor in C++
/// and GDAL's `ogr2ogr`.
///
/// The servers of the bench must run: `bed.sh data`, then `bed.sh up`.
struct FeaturesBenchmark: BenchmarkSuite {
  let name = "features"

  private static let count = 200_000

  /// A layer and the way to it.
  private struct Course {
    let job: String
    let port: Int
    let layer: Int
  }

  private static let courses = [
    Course(job: "200,000 polygons by query into a GeoPackage", port: 8090, layer: 1),
    Course(job: "200,000 points by query into a GeoPackage", port: 8090, layer: 0),
    Course(job: "200,000 polygons at 40 ms", port: 8091, layer: 1),
  ]

  func run(_ bed: BenchmarkBed) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-benchmarks")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for course in Self.courses {
      await Contest(
        job: course.job + ", each", contenders: contenders(course, in: folder, bed)
      ).run(on: bed)
      print("\n| | CPU s | memory at most |\n|---|--:|--:|")
      for form in ["PBF", "JSON"] {
        let cpu = try await ours(course, form, in: folder, /cpu ([\d.]+)/).measure()
        let memory = try await ours(course, form, in: folder, /peak ([\d.]+)/).measure()
        print("| Portolan, \(form) | \(cpu) | \(Int(memory)) MB |")
      }
    }
  }

  private func contenders(
    _ course: Course, in folder: URL, _ bed: BenchmarkBed
  ) -> [Contender] {
    let output = folder.appending(path: "floor.gpkg").path(percentEncoded: false)
    let forms = ["PBF", "JSON"]
    return forms.map { perFeature(ours(course, $0, in: folder, /wall ([\d.]+)/)) }
      + forms.map { form in
        let line =
          "cd '\(bed.folder.path(percentEncoded: false))' && ./floor_features \(course.port) "
          + "\(course.layer) \(form.lowercased()) 8 '\(output)' bulk"
        return perFeature(.command("C++ floor, \(form), 8 connections", line, /wall ([\d.]+)/))
      } + [ogr2ogr(course, in: folder)]
  }

  /// Seconds for all as microseconds for each.
  private func perFeature(_ contender: Contender) -> Contender {
    Contender(name: contender.name) {
      try await contender.measure() / Double(Self.count) * 1e6
    }
  }

  private func ours(
    _ course: Course, _ form: String, in folder: URL,
    _ pattern: sending Regex<(Substring, Substring)>
  ) -> Contender {
    let program = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    let output = folder.appending(path: "ours.gpkg").path(percentEncoded: false)
    let line =
      "'\(program.path(percentEncoded: false))' download-features '--out=\(output)' "
      + "'--url=http://127.0.0.1:\(course.port)/arcgis/rest/services/Bench/FeatureServer/"
      + "\(course.layer)'" + (form == "JSON" ? " --json" : "")
    return .command("Portolan, \(form)", line, pattern)
  }

  private func ogr2ogr(_ course: Course, in folder: URL) -> Contender {
    let output = folder.appending(path: "ogr.gpkg").path(percentEncoded: false)
    let query =
      "http://127.0.0.1:\(course.port)/arcgis/rest/services/Bench/FeatureServer/\(course.layer)/"
      + "query?where=1%3D1&outFields=*&resultRecordCount=2000&orderByFields=OBJECTID+ASC&f=json"
    let line =
      "rm -f '\(output)'; /usr/bin/time -f 'wall %e' ogr2ogr -f GPKG -nln features '\(output)' "
      + "'ESRIJSON:\(query)' -oo FEATURE_SERVER_PAGING=YES 2>&1"
    return perFeature(.command("ogr2ogr, paging", line, /wall ([\d.]+)/))
  }
}
