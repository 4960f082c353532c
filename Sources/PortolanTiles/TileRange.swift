/// A rectangle of tiles of one level, known without being enumerated.
public struct TileRange: Hashable, Sendable {
  /// The level.
  public var level: Int
  /// The rows, from the top.
  public var rows: Range<Int>
  /// The columns, from the left.
  public var columns: Range<Int>

  /// Creates a rectangle.
  public init(level: Int, rows: Range<Int>, columns: Range<Int>) {
    self.level = level
    self.rows = rows
    self.columns = columns
  }

  /// The number of tiles; the largest whole number if there are more.
  public var count: Int {
    let (product, overflows) = rows.count.multipliedReportingOverflow(by: columns.count)
    return overflows ? .max : product
  }

  /// Whether there are no tiles.
  public var isEmpty: Bool { rows.isEmpty || columns.isEmpty }

  /// Whether the tile is one of them.
  public func contains(_ tile: TileID) -> Bool {
    tile.level == level && rows.contains(tile.row) && columns.contains(tile.column)
  }

  /// The tiles that both have; none if the levels differ.
  public func intersection(_ other: TileRange) -> TileRange? {
    guard level == other.level else { return nil }
    let common = TileRange(
      level: level, rows: rows.clamped(to: other.rows),
      columns: columns.clamped(to: other.columns))
    return common.isEmpty ? nil : common
  }
}

extension TileRange: Sequence {
  /// Walks row by row from the top, each row from the left; no list is made.
  public struct Iterator: IteratorProtocol, Sendable {
    fileprivate let range: TileRange
    fileprivate var row: Int
    fileprivate var column: Int

    public mutating func next() -> TileID? {
      guard row < range.rows.upperBound, !range.columns.isEmpty else { return nil }
      defer { advance() }
      return TileID(level: range.level, row: row, column: column)
    }

    private mutating func advance() {
      column += 1
      guard column == range.columns.upperBound else { return }
      column = range.columns.lowerBound
      row += 1
    }
  }

  public func makeIterator() -> Iterator {
    Iterator(range: self, row: rows.lowerBound, column: columns.lowerBound)
  }
}
