internal import Foundation
internal import PortolanArchives
internal import PortolanTiles
internal import Synchronization

/// Finds tiles through the directories of a PMTiles archive.
final class PMTilesStorage: Sendable {
  /// How many directories may lead to one another; three is what known readers follow.
  static let maximumDepth = 4
  /// The largest tile that is read.
  private static let maximumTileSize = 64 << 20

  let header: PMTilesHeader
  let root: PMTilesDirectory
  private let source: any ByteSource
  private let leaves = Mutex(PMTilesLeafCache())

  /// Reads the header and the root directory.
  init(_ source: any ByteSource) throws(TileError) {
    let head = try source.bytes(0..<min(source.count, PMTilesHeader.length))
    let header = try PMTilesHeader(head, file: source.name)
    let place = "the root directory"
    let data = try Self.decompressed(
      header.root, of: source, header, limit: PMTilesDirectory.sizeLimit, place: place)
    self.header = header
    self.source = source
    root = try PMTilesDirectory(
      data, ids: 0..<PMTilesID.end, file: source.name, place: place)
  }

  var name: String { source.name }

  /// The sections that the header announces and the file lacks, in a sentence; `nil` if all are
  /// there.
  var truncation: String? {
    let end = [header.root, header.metadata, header.leaves, header.tiles].map(\.upperBound).max()
    return end.flatMap { Truncation.warning(name, found: source.count, announced: $0) }
  }

  /// The metadata, decompressed; `nil` if there is none.
  func metadata() throws(TileError) -> Data? {
    guard !header.metadata.isEmpty else { return nil }
    return try Self.decompressed(
      header.metadata, of: source, header, limit: TileContainerLimits.parsedSize,
      place: "the metadata")
  }

  /// The bytes of a tile as stored, or `nil` if there is none.
  func data(of tile: TileID) throws(TileError) -> Data? {
    guard let number = PMTilesID.number(of: tile) else { return nil }
    var directory = root
    for _ in 0..<Self.maximumDepth {
      guard let entry = directory.entry(for: number) else { return nil }
      guard entry.isLeaf else {
        return number - entry.id < entry.runLength ? try data(of: tile, entry) : nil
      }
      directory = try cachedLeaf(entry)
    }
    throw tooDeep
  }

  /// The directory that an entry leads to, whose ids must be among `ids`.
  func leaf(_ entry: PMTilesEntry, ids: Range<Int>) throws(TileError) -> PMTilesDirectory {
    let place = "the directory of tile \(PMTilesID.tile(entry.id)) and what follows it"
    guard let range = header.leaves.lowerBound.range(entry) else {
      throw .damaged(file: name, place: place, reason: "it lies outside the file")
    }
    let data = try Self.decompressed(
      range, of: source, header, limit: PMTilesDirectory.sizeLimit, place: place)
    return try PMTilesDirectory(data, ids: ids, file: name, place: place)
  }

  /// Directories lead to one another for too long.
  var tooDeep: TileError {
    .damaged(file: name, place: "the directories", reason: "they lead to one another without end")
  }

  private func cachedLeaf(_ entry: PMTilesEntry) throws(TileError) -> PMTilesDirectory {
    if let leaf = leaves.withLock({ $0[entry.offset] }) { return leaf }
    // Read outside the lock: others keep reading, and reading one twice does no harm.
    let leaf = try leaf(entry, ids: entry.id..<PMTilesID.end)
    leaves.withLock { $0.keep(leaf, at: entry.offset) }
    return leaf
  }

  private func data(of tile: TileID, _ entry: PMTilesEntry) throws(TileError) -> Data {
    guard (1...Self.maximumTileSize).contains(entry.length) else {
      throw .damagedTile(tile, file: name, reason: "it is \(entry.length) bytes long")
    }
    guard let range = header.tiles.lowerBound.range(entry), range.upperBound <= source.count else {
      throw .damagedTile(tile, file: name, reason: "the file ends before it")
    }
    return try source.bytes(range)
  }

  /// The bytes of a part, decompressed.
  private static func decompressed(
    _ range: Range<Int>, of source: any ByteSource, _ header: PMTilesHeader, limit: Int,
    place: String
  ) throws(TileError) -> Data {
    guard range.count <= limit else {
      throw .damaged(file: source.name, place: place, reason: "it is \(range.count) bytes long")
    }
    guard range.upperBound <= source.count else {
      throw .damaged(file: source.name, place: place, reason: "the file ends before its end")
    }
    let data = try source.bytes(range)
    switch header.internalCompression {
    case .brotli:
      throw .unsupported(
        file: source.name, reason: "directories compressed with brotli are not supported")
    case .zstandard:
      throw .unsupported(
        file: source.name, reason: "directories compressed with zstd are not supported")
    // A writer may not say how it compresses; the bytes do.
    case .unknown where !Gzip.isCompressed(data), .none: return data
    case .unknown, .gzip: break
    }
    do { return try Gzip.decompress(data, limit: limit, name: source.name) } catch {
      throw .damaged(file: source.name, place: place, reason: "it cannot be decompressed")
    }
  }
}

extension Int {
  /// The bytes of an entry's content in a section that begins here; `nil` beyond all numbers.
  fileprivate func range(_ entry: PMTilesEntry) -> Range<Int>? {
    let (start, overflows) = addingReportingOverflow(entry.offset)
    let (end, overflowsAgain) = start.addingReportingOverflow(entry.length)
    return overflows || overflowsAgain ? nil : start..<end
  }
}
