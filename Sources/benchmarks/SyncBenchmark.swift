import Foundation
import PortolanGeodatabase
import PortolanOffline

/// A copy with 10,000 edits meets a service with 10,000 others: beside the one request by which a
/// script adds as many features to the same service.
struct SyncBenchmark: BenchmarkSuite {
  private static let edits = 10_000

  let name = "sync"

  func run(_ bed: BenchmarkBed) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-sync")
    defer {
      // What the system does not empty it empties at its next start.
      try? FileManager.default.removeItem(at: folder)
    }
    // A run that was killed leaves journals, which belong to no file of this one.
    if FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) {
      try FileManager.default.removeItem(at: folder)
    }
    let bench = try await SyncBench(in: folder)
    let clock = ContinuousClock()
    var figures: [(bulk: Double, sync: Double)] = []
    for round in 0...bed.rounds {
      let file = try await bench.copy("copy\(round)")
      var start = clock.now
      try await bench.add(Self.edits, named: "There \(round)")
      let bulk = (clock.now - start) / .seconds(1)
      try await SyncBench.add(Self.edits, named: "Here \(round)", to: file)
      start = clock.now
      let result = try await bench.sync(file)
      let sync = (clock.now - start) / .seconds(1)
      guard result.sent == Self.edits, result.received.adds == Self.edits else {
        throw BenchmarkError("Not all edits were exchanged: \(result).")
      }
      // The first round warms up and is not counted.
      if round > 0 { figures.append((bulk, sync)) }
    }
    let bulk = Self.median(figures.map(\.bulk))
    let sync = Self.median(figures.map(\.sync))
    print("\n### \(Self.edits) edits of a copy and \(Self.edits) of its service\n")
    print("Medians of \(figures.count) rounds, service and client in one process.\n")
    print("| | s |\n|---|--:|")
    print("| one applyEdits of \(Self.edits) features | \(Self.rounded(bulk)) |")
    print("| synchronization, both ways | \(Self.rounded(sync)) |")
    print("| ratio | \(Self.rounded(sync / bulk)) |")
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
