import Foundation

/// Measures Portolan beside its rivals and prints the tables of Docs/BENCHMARKS.md.
@main
enum Benchmarks {
  static func main() async {
    await measure(Array(CommandLine.arguments.dropFirst()))
  }

  /// Not on the main actor, where an app would not wait for such work either.
  @concurrent
  private static func measure(_ arguments: [String]) async {
    do {
      if let fetch = FetchCommand(arguments: arguments) { return try await fetch.run() }
      if let region = RegionCommand(arguments: arguments) { return try await region.run() }
      let bed = try BenchmarkBed(arguments: arguments)
      let names = arguments.filter { !$0.hasPrefix("--") }
      for suite in try suites(named: names) {
        try await suite.run(bed)
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static let all: [any BenchmarkSuite] = [
    TileReadBenchmark(), TilePixelsBenchmark(), IdentifyBenchmark(), OpenBenchmark(),
    ConvertBenchmark(), AuthoringBenchmark(), ImportBenchmark(),
    FeaturesBenchmark(), DownloadBenchmark(), LibraryBenchmark(),
    PictureBenchmark(), DrawingBenchmark(), SearchBenchmark(), TileCacheBenchmark(),
    RegionBenchmark(), ServeBenchmark(), SyncBenchmark(), DeviceSimulation(),
  ]

  /// What others run in processes of their own.
  private static let parts: [any BenchmarkSuite] = [FeatureDownload()]

  private static func suites(named names: [String]) throws -> [any BenchmarkSuite] {
    guard !names.isEmpty else { return all }
    let list = all.map(\.name).joined(separator: ", ")
    return try names.map { name in
      guard let suite = (all + parts).first(where: { $0.name == name }) else {
        throw BenchmarkError("There is no benchmark \"\(name)\"; there are: \(list).")
      }
      return suite
    }
  }
}

/// A job that Portolan and its rivals do in turn.
protocol BenchmarkSuite: Sendable {
  /// The word that chooses it on the command line.
  var name: String { get }

  /// Measures, and prints a table.
  func run(_ bed: BenchmarkBed) async throws
}

/// A reason to stop, for the user at the terminal.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
