internal import Foundation
internal import PortolanArchives

extension FuzzTarget {
  /// The most bytes that a reader allows, here and where packages are opened.
  private static let limit = 1 << 20

  /// An archive is opened by both readers, every entry found by its name and read.
  static let zip = FuzzTarget(
    "zip",
    words: [
      "PK\u{3}\u{4}", "PK\u{1}\u{2}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{7}", "../",
      "\u{1}\u{0}", "up",
    ],
    seeds: ArchiveSeeds.archives
  ) { data in
    let archive = try ZIPArchive(MemoryByteSource(data, name: "fuzzed.zip"))
    var failure: ArchiveError?
    do throws(ArchiveError) { try archive.checkAgreement() } catch {
      try FuzzFinding.check(!archive.isPlain, "leaves readers no choice, and they differ: \(error)")
      failure = error
    }
    for entry in archive.entries {
      do throws(ArchiveError) {
        _ = try archive.entry(named: entry.name.uppercased())
        _ = try archive.storedRange(of: entry)
        let count = try archive.data(of: entry, limit: limit).count
        guard count == entry.size else { throw .cancelled }
      } catch {
        failure = error
      }
    }
    try FuzzFinding.check(failure != .cancelled, "has an entry of another size than announced")
    if let failure { throw failure }
  }

  /// Compressed data is unpacked.
  static let gzip = FuzzTarget("gzip", seeds: ArchiveSeeds.compressed) { data in
    let content = try Gzip.decompress(data, limit: limit, name: "fuzzed.gz")
    try FuzzFinding.check(content.count <= limit, "is unpacked beyond the limit")
  }
}
