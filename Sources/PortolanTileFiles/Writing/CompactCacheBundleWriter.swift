internal import Foundation

/// Writes one bundle of Compact Cache V2; tiles may come in any order.
///
/// The index is kept in memory while the file is open, 128 KB, and written when it is closed.
///
/// - SeeAlso: Docs/FORMATS.md, 3.1
final class CompactCacheBundleWriter {
  private let file: FileHandle
  private var index: Data
  private var end: UInt64
  private var largestTile: Int

  /// Creates the file, or opens one that was closed before.
  init(at url: URL) throws {
    let exists = FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    if !exists { try Data().write(to: url) }
    file = try FileHandle(forUpdating: url)
    guard exists, let head = try file.read(upToCount: CompactCacheBundleV2.tilesStart) else {
      index = Data(count: CompactCacheBundleV2.indexLength)
      end = UInt64(CompactCacheBundleV2.tilesStart)
      largestTile = 0
      return
    }
    index = Data(head.dropFirst(CompactCacheBundleV2.headerLength))
    largestTile = head.littleEndian(at: 8, count: 4)
    end = try file.seekToEnd()
  }

  /// Appends a tile; one already there is forgotten, though its bytes stay.
  ///
  /// - Parameters:
  ///   - tile: The bytes, fewer than ``CompactCacheFormat/maximumTileSize``.
  ///   - cell: The number of the record, row by row.
  /// - Throws: What the file says.
  func add(_ tile: Data, cell: Int) throws {
    try file.seek(toOffset: end)
    var field = Data()
    field.append(littleEndian: tile.count, count: CompactCacheFormat.sizeFieldLength)
    try file.write(contentsOf: field + tile)
    let offset = end + UInt64(CompactCacheFormat.sizeFieldLength)
    var record = Data()
    record.append(littleEndian: Int(offset), count: CompactCacheFormat.offsetLength)
    record.append(littleEndian: tile.count, count: 3)
    index.replaceSubrange(8 * cell..<8 * cell + 8, with: record)
    end = offset + UInt64(tile.count)
    largestTile = max(largestTile, tile.count)
  }

  /// Writes the head and the index, and closes the file.
  func close() throws {
    try file.seek(toOffset: 0)
    try file.write(contentsOf: header + index)
    try file.close()
  }

  private var header: Data {
    let fields: [(value: Int, count: Int)] = [
      (3, 4), (CompactCacheFormat.recordCount, 4), (largestTile, 4),
      (CompactCacheFormat.offsetLength, 4), (0, 8), (Int(end), 8), (40, 8),
      // A header of the user's own, empty but for the index, as all known writers say it.
      (20 + CompactCacheBundleV2.indexLength, 4), (3, 4), (16, 4),
      (CompactCacheFormat.recordCount, 4), (CompactCacheFormat.offsetLength, 4),
      (CompactCacheBundleV2.indexLength, 4),
    ]
    return fields.reduce(into: Data()) { $0.append(littleEndian: $1.value, count: $1.count) }
  }
}
