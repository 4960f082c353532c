internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

/// A bundle of Compact Cache V1: tiles in one file, their offsets in another.
///
/// Cells of the index run down the columns. An absent tile points to a size of zero.
///
/// - SeeAlso: Docs/FORMATS.md, 3.3
struct CompactCacheBundleV1: CompactCacheBundle {
  static let headLength = 16
  static let indexLength = CompactCacheFormat.offsetLength * CompactCacheFormat.recordCount
  /// The head of the bundle and the zeros after it, which absent tiles point to.
  static let emptyAreaEnd = 60 + 4 * CompactCacheFormat.recordCount

  private let source: any ByteSource
  private let index: any ByteSource

  /// Checks the length of the index.
  ///
  /// - Parameters:
  ///   - source: The `.bundle`.
  ///   - index: The `.bundlx` beside it.
  /// - Throws: ``TileError/damaged(file:place:reason:)`` if it is too short.
  init(_ source: any ByteSource, index: any ByteSource) throws(TileError) {
    guard index.count >= Self.headLength + Self.indexLength else {
      throw .damaged(file: index.name, place: "the index", reason: "the file ends inside it")
    }
    self.source = source
    self.index = index
  }

  func data(of tile: TileID) throws(TileError) -> Data? {
    let cell = BundleID.side * (tile.column & 127) + tile.row & 127
    let position = Self.headLength + CompactCacheFormat.offsetLength * cell
    let record = try index.bytes(position..<position + CompactCacheFormat.offsetLength)
    let field = record.littleEndian(at: 0, count: CompactCacheFormat.offsetLength)
    guard field > 0 else { return nil }
    guard field + CompactCacheFormat.sizeFieldLength <= source.count else {
      throw damaged(tile, "its index record points to byte \(field), outside the file")
    }
    let size = try source.bytes(field..<field + CompactCacheFormat.sizeFieldLength)
      .littleEndian(at: 0, count: CompactCacheFormat.sizeFieldLength)
    guard size > 0 else { return nil }
    let start = field + CompactCacheFormat.sizeFieldLength
    guard size <= CompactCacheFormat.maximumTileSize, start + size <= source.count else {
      throw damaged(tile, "its size of \(size) bytes passes the end of the file")
    }
    return try source.bytes(start..<start + size)
  }

  func cells() throws(TileError) -> [Int] {
    let offsets = try index.bytes(Self.headLength..<Self.headLength + Self.indexLength)
    // Absent tiles point here, so one read answers for most of them.
    let head = try source.bytes(0..<min(source.count, Self.emptyAreaEnd))
    var cells: [Int] = []
    for cell in 0..<CompactCacheFormat.recordCount {
      let length = CompactCacheFormat.offsetLength
      let record = BundleID.side * (cell % BundleID.side) + cell / BundleID.side
      let field = offsets.littleEndian(at: length * record, count: length)
      if try isPresent(at: field, head: head) { cells.append(cell) }
    }
    return cells
  }

  private func isPresent(at field: Int, head: Data) throws(TileError) -> Bool {
    let end = field + CompactCacheFormat.sizeFieldLength
    // What points outside is listed, and damaged.
    guard field > 0, end <= source.count else { return field > 0 }
    if end <= head.count {
      return head.littleEndian(at: field, count: CompactCacheFormat.sizeFieldLength) > 0
    }
    return try source.bytes(field..<end)
      .littleEndian(at: 0, count: CompactCacheFormat.sizeFieldLength) > 0
  }

  private func damaged(_ tile: TileID, _ reason: String) -> TileError {
    .damagedTile(tile, file: source.name, reason: reason)
  }
}
