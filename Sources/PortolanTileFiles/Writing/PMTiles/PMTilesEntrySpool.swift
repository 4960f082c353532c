internal import Foundation
internal import PortolanFiles

/// The entries of an archive that is being written, kept in a file of their own beside it, which
/// goes with this value.
struct PMTilesEntrySpool: ~Copyable {
  private static let recordLength = 24
  private static let bufferSize = 1 << 16
  /// The longest run, for its four bytes.
  private static let maximumRun = Int(UInt32.max)

  private let target: URL
  private var file: StagedFile
  private var buffer = Data()
  private var last: PMTilesEntry?
  /// How many entries there are, the one that still grows left out.
  private(set) var count = 0
  /// How many tiles they stand for.
  private(set) var tileCount = 0
  /// Whether the ids rose.
  private(set) var isOrdered = true

  init(beside target: URL) throws(FileError) {
    self.target = target
    file = try StagedFile(replacing: target)
  }

  /// Adds an entry of one tile, as part of the run before if it continues it.
  mutating func append(_ entry: PMTilesEntry) throws(FileError) {
    guard let last else {
      last = entry
      return
    }
    let end = last.id + last.runLength
    let hasSameContent = last.offset == entry.offset && last.length == entry.length
    if entry.id == end, hasSameContent, last.runLength < Self.maximumRun {
      self.last?.runLength += 1
      return
    }
    if entry.id < end { isOrdered = false }
    try store(last)
    self.last = entry
  }

  /// Stores what still grew, and puts the entries in order.
  mutating func finish() throws(FileError) {
    if let last { try store(last) }
    last = nil
    try flush()
    guard !isOrdered else { return }
    let entries = try self.entries(0..<count)
    file = try StagedFile(replacing: target)
    count = 0
    tileCount = 0
    isOrdered = true
    // Out of order, runs are of tiles that came one after another; each tile is put in its place.
    let tiles = entries.flatMap { entry in
      (entry.id..<entry.id + entry.runLength).map {
        PMTilesEntry(id: $0, runLength: 1, offset: entry.offset, length: entry.length)
      }
    }
    let latest = Dictionary(tiles.map { ($0.id, $0) }) { $1 }
    for tile in latest.values.sorted(by: { $0.id < $1.id }) { try append(tile) }
    try finish()
  }

  /// Some of the entries; only after ``finish()``.
  func entries(_ range: Range<Int>) throws(FileError) -> [PMTilesEntry] {
    let length = Self.recordLength
    let data = try file.read(range.lowerBound * length..<range.upperBound * length)
    return (0..<range.count).map { index in
      let start = index * length
      return PMTilesEntry(
        id: data.littleEndian(at: start, count: 8),
        runLength: data.littleEndian(at: start + 20, count: 4),
        offset: data.littleEndian(at: start + 8, count: 8),
        length: data.littleEndian(at: start + 16, count: 4))
    }
  }

  private mutating func store(_ entry: PMTilesEntry) throws(FileError) {
    buffer.append(littleEndian: entry.id, count: 8)
    buffer.append(littleEndian: entry.offset, count: 8)
    buffer.append(littleEndian: entry.length, count: 4)
    buffer.append(littleEndian: entry.runLength, count: 4)
    count += 1
    tileCount += entry.runLength
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private mutating func flush() throws(FileError) {
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
