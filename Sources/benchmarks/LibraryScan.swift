import Foundation
import PortolanPackages

/// Listing a folder of a thousand packages.
struct LibraryScan {
  let library: URL

  /// Measures the first time, the second, and that of the same files cut to half.
  func run(_ bed: BenchmarkBed) async throws {
    let path = library.path(percentEncoded: false)
    let damaged = try halves()
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "portolan-scan-\(UUID().uuidString)", directoryHint: .isDirectory)
    let summaryCache = PackageSummaryCacheFile(in: scratch) {
      try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    }
    await Contest(
      job: "Listing a library of 1,000 packages",
      contenders: [
        .ours("Portolan, first time", count: 1) {
          try list(library, InMemoryPackageSummaryCache(), reading: 1_000)
        },
        .ours("Portolan, unchanged", count: 1) { try list(library, summaryCache) },
        .ours("Portolan, first time, each cut to half", count: 1) {
          try list(damaged, InMemoryPackageSummaryCache(), reading: 1_000)
        },
        bed.floor("C floor: names and dates", "floor_scan stat \(path)"),
        bed.floor("C floor: head and tail of each", "floor_scan head \(path)"),
        bed.floor("C floor: SQLite metadata", "floor_scan sqlite \(path)"),
        bed.peer(
          "Python: sqlite3 and zipfile", script: "bench_open.py", row: "python: sqlite3 + zipfile"),
      ]
    ).run(on: bed)
    // It does not exist if no contender remembers what it read.
    try? FileManager.default.removeItem(at: scratch)
  }

  private func list(
    _ folder: URL, _ summaryCache: any PackageSummaryCache, reading expected: Int? = nil
  ) throws {
    let listing = try PackageFolder(folder, summaryCache: summaryCache).listing(now: Date())
    guard listing.entries.count == 1_000, expected == nil || listing.readCount == expected else {
      throw BenchmarkError("\(listing.entries.count) packages, \(listing.readCount) read")
    }
  }

  /// The library with the second half of each file missing.
  private func halves() throws -> URL {
    let folder = library.deletingLastPathComponent()
      .appending(path: "library-halves", directoryHint: .isDirectory)
    let files = FileManager.default
    guard !files.fileExists(atPath: folder.path(percentEncoded: false)) else { return folder }
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    for url in try files.contentsOfDirectory(at: library, includingPropertiesForKeys: nil) {
      let data = try Data(contentsOf: url)
      try data.prefix(data.count / 2).write(to: folder.appending(path: url.lastPathComponent))
    }
    return folder
  }
}
