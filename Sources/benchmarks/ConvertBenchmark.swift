import Foundation

/// Converting a million points, as a person would at a terminal, beside GDAL's `ogr2ogr`.
struct ConvertBenchmark: BenchmarkSuite {
  let name = "convert"

  func run(_ bed: BenchmarkBed) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-benchmarks")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try PointGeodatabase.make(at: folder.appending(path: "points.geodatabase"))
    let commands = [
      ("Portolan, .geodatabase to .gpkg", Self.convert("points.geodatabase", "points.gpkg")),
      ("Portolan, .gpkg to .geodatabase", Self.convert("points.gpkg", "back.geodatabase")),
      (
        "ogr2ogr, .gpkg to .gpkg",
        ["bash", "-c", "rm -f ogr.gpkg; exec ogr2ogr -f GPKG ogr.gpkg points.gpkg"]
      ),
    ].map { MeasuredCommand($0, $1, in: folder, count: PointGeodatabase.count) }
    await Contest(
      job: "Converting \(PointGeodatabase.count) points with six attributes, each",
      contenders: commands.map(\.contender)
    ).run(on: bed)
    print("\n| | memory at most |\n|---|--:|")
    for command in commands {
      print("| \(command.name) | \(Int(try await command.memory())) MB |")
    }
  }

  private static func convert(_ input: String, _ output: String) -> [String] {
    [MeasuredCommand.portolan, "convert", input, output, "--yes", "--quiet"]
  }
}
