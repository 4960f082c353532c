internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

/// A bundle of Compact Cache V2: index and tiles in one file.
///
/// Opening reads 64 bytes; a tile reads its record of 8 bytes, its size field and its data.
///
/// - SeeAlso: Docs/FORMATS.md, 3.1
struct CompactCacheBundleV2: CompactCacheBundle {
  static let headerLength = 64
  static let indexLength = 8 * CompactCacheFormat.recordCount
  static let tilesStart = headerLength + indexLength

  private let source: any ByteSource

  /// Checks the head of the file; only members that all writers agree on count.
  init(_ source: any ByteSource) throws(TileError) {
    guard source.count >= Self.tilesStart else {
      throw .damaged(file: source.name, place: "the index", reason: "the file ends inside it")
    }
    let header = try source.bytes(0..<Self.headerLength)
    guard header.littleEndian(at: 0, count: 4) == 3,
      header.littleEndian(at: 12, count: 4) == CompactCacheFormat.offsetLength,
      header.littleEndian(at: 60, count: 4) == Self.indexLength
    else {
      let reason = "this is no bundle of Compact Cache V2"
      throw .damaged(file: source.name, place: "the header", reason: reason)
    }
    self.source = source
  }

  func data(of tile: TileID) throws(TileError) -> Data? {
    guard let (offset, size) = try place(of: tile) else { return nil }
    return try source.tileData(tile, at: offset, size: size)
  }

  func withData<Result>(
    of tile: TileID, _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result? {
    guard let (offset, size) = try place(of: tile) else { return nil }
    return try unsafe source.lendTile(tile, at: offset, size: size, body)
  }

  /// The place of a tile by the index; `nil` if there is none.
  private func place(of tile: TileID) throws(TileError) -> (offset: Int, size: Int)? {
    let position = Self.headerLength + 8 * (BundleID.side * (tile.row & 127) + tile.column & 127)
    let record = try source.bytes(position..<position + 8)
    let size = record.littleEndian(at: CompactCacheFormat.offsetLength, count: 3)
    guard size > 0 else { return nil }
    let offset = record.littleEndian(at: 0, count: CompactCacheFormat.offsetLength)
    guard offset >= Self.tilesStart + CompactCacheFormat.sizeFieldLength,
      offset + size <= source.count
    else {
      let reason = "its index record points to byte \(offset), outside the tiles"
      throw .damagedTile(tile, file: source.name, reason: reason)
    }
    return (offset, size)
  }

  func cells() throws(TileError) -> [Int] {
    let index = try source.bytes(Self.headerLength..<Self.tilesStart)
    return unsafe index.withUnsafeBytes { bytes in
      var cells: [Int] = []
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        let record = unsafe UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        if record >> (8 * CompactCacheFormat.offsetLength) > 0 { cells.append(offset / 8) }
      }
      return cells
    }
  }
}
