internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanTiles

/// Writes the directories of an archive.
///
/// - SeeAlso: Docs/FORMATS.md, 4.3
enum PMTilesDirectoryWriter {
  /// The bytes that the root directory may have.
  static let rootLimit = PMTilesHeader.rootEnd - PMTilesHeader.length
  /// The entries of a leaf directory where that keeps the root small.
  private static let leafLength = 4_096
  /// The leaves that the root always has room for: an entry takes fifteen bytes at most, with its
  /// place given by the one before.
  private static let maximumLeaves = 1_024

  /// Writes leaf directories to the end of `file`, if all entries do not fit the root.
  ///
  /// - Parameters:
  ///   - entries: The entries, in order.
  ///   - file: The archive.
  /// - Returns: The root directory, compressed.
  /// - Throws: What the file says.
  static func write(
    _ entries: borrowing PMTilesEntrySpool, to file: inout StagedFile
  ) throws(TileError) -> Data {
    if entries.count <= rootLimit {
      let root = try compressed(entries.read(0..<entries.count))
      if root.count <= rootLimit { return root }
    }
    let start = file.count
    let length = max(leafLength, (entries.count + maximumLeaves - 1) / maximumLeaves)
    var leaves: [PMTilesEntry] = []
    for first in stride(from: 0, to: entries.count, by: length) {
      let part = try entries.read(first..<min(first + length, entries.count))
      let leaf = try compressed(part)
      leaves.append(
        PMTilesEntry(
          id: part[0].id, runLength: 0, offset: file.count - start, length: leaf.count))
      do { try file.write(leaf) } catch { throw TileError(error) }
    }
    return try compressed(leaves)
  }

  private static func compressed(_ entries: [PMTilesEntry]) throws(TileError) -> Data {
    do {
      return try Gzip.compress(PMTilesDirectory.encode(entries), level: 9)
    } catch {
      throw TileError(error)
    }
  }
}

extension PMTilesEntrySpool {
  /// Some of the entries; only after ``finish()``.
  fileprivate func read(_ range: Range<Int>) throws(TileError) -> [PMTilesEntry] {
    do { return try entries(range) } catch { throw TileError(error) }
  }
}
