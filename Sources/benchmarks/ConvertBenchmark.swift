import Foundation

/// Converting a million points, as a person would at a terminal, beside GDAL's `ogr2ogr`.
struct ConvertBenchmark: BenchmarkSuite {
  let name = "convert"

  func run(_ bed: BenchmarkBed) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-benchmarks")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try PointGeodatabase.make(at: folder.appending(path: "points.geodatabase"))
    let commands = [
      ("Portolan, .geodatabase to .gpkg", convert("points.geodatabase", "points.gpkg")),
      ("Portolan, .gpkg to .geodatabase", convert("points.gpkg", "back.geodatabase")),
      (
        "ogr2ogr, .gpkg to .gpkg",
        ["bash", "-c", "rm -f ogr.gpkg; exec ogr2ogr -f GPKG ogr.gpkg points.gpkg"]
      ),
    ]
    await Contest(
      job: "Converting \(PointGeodatabase.count) points with six attributes, each",
      contenders: commands.map { name, words in
        .command(name, Self.measured(words, in: folder), /([\d.]+) us/)
      }
    ).run(on: bed)
    print("\n| | memory at most |\n|---|--:|")
    for (name, words) in commands {
      let memory = Contender.command(name, Self.measured(words, in: folder), /([\d.]+) MB/)
      print("| \(name) | \(Int(try await memory.measure())) MB |")
    }
  }

  /// The command that was built beside this program.
  private func convert(_ input: String, _ output: String) -> [String] {
    let program = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "portolan").path(percentEncoded: false)
    return [program, "convert", input, output, "--yes", "--quiet"]
  }

  /// A line that runs a command and prints the time of a row and the memory it took.
  private static func measured(_ words: [String], in folder: URL) -> String {
    let list = words.map { "'\($0)'" }.joined(separator: ",")
    let script = """
      import resource, subprocess, time
      t = time.perf_counter()
      subprocess.run([\(list)], check=True, stdout=subprocess.DEVNULL)
      print((time.perf_counter() - t) / \(PointGeodatabase.count) * 1e6, 'us')
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 'MB')
      """
    return "cd '\(folder.path(percentEncoded: false))' && /usr/bin/python3 -c \"\(script)\""
  }
}
