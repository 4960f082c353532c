internal import Foundation
internal import PortolanTiles

/// A run of tiles with the same content, or a directory of finer ones.
struct PMTilesEntry: Hashable {
  /// The number of the first tile.
  var id: Int
  /// How many tiles in a row have the content; 0 for a directory.
  var runLength: Int
  /// The offset of the content: in the tile section, or in the leaf section for a directory.
  var offset: Int
  /// How many bytes it has.
  var length: Int

  /// Whether this leads to a directory.
  var isLeaf: Bool { runLength == 0 }
}

/// The entries of a directory, in the order of their ids.
///
/// - SeeAlso: Docs/FORMATS.md, 4.3
struct PMTilesDirectory {
  /// The largest directory that is read, decompressed: some two million entries.
  static let sizeLimit = 8 << 20

  let entries: [PMTilesEntry]

  /// Reads a decompressed directory.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - ids: What the ids must lie in.
  ///   - file: The file, for messages.
  ///   - place: What part of it, for messages.
  /// - Throws: ``TileError/damaged(file:place:reason:)`` if it ends early, or its ids do not rise.
  init(_ data: Data, ids: Range<Int>, file: String, place: String) throws(TileError) {
    var reader = PMTilesNumberReader(data)
    do throws(PMTilesNumberReader.Failure) {
      let count = try reader.next()
      // Each entry takes four bytes or more.
      guard count <= data.count / 4 else { throw PMTilesNumberReader.Failure.end }
      var entries = [PMTilesEntry](
        repeating: PMTilesEntry(id: 0, runLength: 0, offset: 0, length: 0), count: count)
      try reader.readIDs(into: &entries, ids)
      for index in entries.indices { entries[index].runLength = try reader.next() }
      for index in entries.indices { entries[index].length = try reader.next() }
      try reader.readOffsets(into: &entries)
      self.entries = entries
    } catch {
      throw .damaged(file: file, place: place, reason: error.reason)
    }
  }

  /// The entry that a tile would be in, which need not hold it.
  func entry(for id: Int) -> PMTilesEntry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id <= id { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? entries[low - 1] : nil
  }

  /// The ids that a directory which entry `index` leads to may have; `end` bounds the last.
  func ids(below index: Int, end: Int) -> Range<Int> {
    let next = index + 1 < entries.count ? entries[index + 1].id : end
    return entries[index].id..<next
  }
}

extension PMTilesDirectory {
  /// The bytes of a directory, before compression.
  static func encode(_ entries: some Collection<PMTilesEntry>) -> Data {
    var data = Data()
    data.append(varint: entries.count)
    var last = 0
    for entry in entries {
      data.append(varint: entry.id - last)
      last = entry.id
    }
    for entry in entries { data.append(varint: entry.runLength) }
    for entry in entries { data.append(varint: entry.length) }
    var end: Int?
    for entry in entries {
      data.append(varint: entry.offset == end ? 0 : entry.offset + 1)
      end = entry.offset + entry.length
    }
    return data
  }
}
