internal import Foundation
internal import PortolanTiles

/// A square of 128 by 128 tiles of a level, a bit for each: which of them are wanted, or done.
///
/// Blocks lie where they lie whatever the shape of the region, so that a region can grow.
struct TileBlock: Hashable, Sendable {
  /// How many tiles a side has.
  static let side = 128

  let level: Int
  /// The row and the column of the block.
  let row: Int
  let column: Int
  private var words: [UInt64]

  /// Where a block lies.
  struct Place: Hashable {
    let level: Int
    let row: Int
    let column: Int

    /// Where the block lies that holds a tile.
    init(of tile: TileID) {
      level = tile.level
      row = tile.row / TileBlock.side
      column = tile.column / TileBlock.side
    }
  }

  /// Creates a block without a bit set.
  init(level: Int, row: Int, column: Int) {
    (self.level, self.row, self.column) = (level, row, column)
    words = Array(repeating: 0, count: Self.side * Self.side / 64)
  }

  /// Reads the bits of a block; what is missing is not set.
  init(level: Int, row: Int, column: Int, bits: Data) {
    self.init(level: level, row: row, column: column)
    let bytes = bits.prefix(words.count * 8)
    unsafe words.withUnsafeMutableBytes { unsafe $0.copyBytes(from: bytes) }
    words = words.map { UInt64(littleEndian: $0) }
  }

  /// The block that holds a tile.
  init(around tile: TileID) {
    self.init(
      level: tile.level, row: tile.row / Self.side, column: tile.column / Self.side)
  }

  /// The bits as bytes, the first in the lowest bit of the first.
  var data: Data {
    unsafe words.map(\.littleEndian).withUnsafeBytes { unsafe Data($0) }
  }

  /// Whether no bit is set.
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// How many bits are set.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The rows and columns of its tiles.
  var rows: Range<Int> { row * Self.side..<(row + 1) * Self.side }
  var columns: Range<Int> { column * Self.side..<(column + 1) * Self.side }

  /// Whether the bit of a tile in it is set.
  func contains(_ tile: TileID) -> Bool {
    let (word, bit) = Self.place(tile)
    return words[word] & bit != 0
  }

  /// Sets the bit of a tile in it.
  mutating func insert(_ tile: TileID) {
    let (word, bit) = Self.place(tile)
    words[word] |= bit
  }

  /// Clears the bit of a tile in it.
  mutating func remove(_ tile: TileID) {
    let (word, bit) = Self.place(tile)
    words[word] &= ~bit
  }

  /// Sets the bits of those of a row that lie in it.
  mutating func insert(row: Int, columns: Range<Int>) {
    for column in columns.clamped(to: self.columns) {
      insert(TileID(level: level, row: row, column: column))
    }
  }

  /// Clears the bits of those of a row that lie in it.
  mutating func remove(row: Int, columns: Range<Int>) {
    for column in columns.clamped(to: self.columns) {
      remove(TileID(level: level, row: row, column: column))
    }
  }

  /// Clears the bits that are set in another block of the same place.
  func subtracting(_ other: TileBlock) -> TileBlock {
    var rest = self
    for index in words.indices { rest.words[index] &= ~other.words[index] }
    return rest
  }

  /// The tiles whose bits are set, row by row.
  var tiles: [TileID] {
    var tiles: [TileID] = []
    for (index, word) in words.enumerated() where word != 0 {
      var word = word
      while word != 0 {
        let bit = index * 64 + word.trailingZeroBitCount
        tiles.append(
          TileID(
            level: level, row: rows.lowerBound + bit / Self.side,
            column: columns.lowerBound + bit % Self.side))
        word &= word - 1
      }
    }
    return tiles
  }

  /// The tiles whose bits are set, as stretches of rows.
  var stretches: [(row: Int, columns: Range<Int>)] {
    tiles.reduce(into: []) { stretches, tile in
      if let last = stretches.last, last.row == tile.row, last.columns.upperBound == tile.column {
        stretches[stretches.count - 1].columns = last.columns.lowerBound..<tile.column + 1
      } else {
        stretches.append((tile.row, tile.column..<tile.column + 1))
      }
    }
  }

  private static func place(_ tile: TileID) -> (word: Int, bit: UInt64) {
    let index = tile.row % side * side + tile.column % side
    return (index / 64, 1 << UInt64(index % 64))
  }
}
