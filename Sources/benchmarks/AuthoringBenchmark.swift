import Foundation

/// Making a package of a million points, beside converting the same points.
struct AuthoringBenchmark: BenchmarkSuite {
  let name = "authoring"

  /// One map of the points, with classes and what is searched, as packages have it.
  private static let specification = """
    {"title": "Points", "spatialReference": 4326, "data": {"points": {"file": "points.geodatabase"}},
     "maps": [{"name": "points", "title": "Points", "extent": [-180, -80, 180, 80], "layers": [
       {"data": "points", "title": "Points", "renderer": {"type": "classBreaks",
        "field": "population", "classes": 5, "method": "quantile"}}],
       "search": {"layers": [{"layer": "Points", "field": "name"}]}}]}
    """

  func run(_ bed: BenchmarkBed) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-benchmarks")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try PointGeodatabase.make(at: folder.appending(path: "points.geodatabase"))
    try Data(Self.specification.utf8).write(to: folder.appending(path: "points.json"))
    let portolan = MeasuredCommand.portolan
    let commands = [
      ("create-package", [portolan, "create-package", "points.json", "points.mmpk"]),
      ("convert to .geodatabase", [portolan, "convert", "points.geodatabase", "same.geodatabase"]),
    ].map {
      MeasuredCommand($0, $1 + ["--yes", "--quiet"], in: folder, count: PointGeodatabase.count)
    }
    await Contest(
      job: "A package of \(PointGeodatabase.count) points, each",
      contenders: commands.map(\.contender)
    ).run(on: bed)
    print("\n| | memory at most |\n|---|--:|")
    for command in commands {
      print("| \(command.name) | \(Int(try await command.memory())) MB |")
    }
  }
}
