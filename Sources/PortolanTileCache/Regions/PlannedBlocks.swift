internal import PortolanTiles

/// The blocks of a plan with the bits of its tiles set, coarsest level first, one at a time.
struct PlannedBlocks: Sequence, IteratorProtocol {
  private let plan: RegionPlan
  private var level: Int
  /// The rows of blocks of the level that are still to come.
  private var blockRows: Range<Int> = 0..<0
  /// The rows of tiles in the row of blocks that is walked through.
  private var spans: [(row: Int, columns: [Range<Int>])] = []
  /// The columns of blocks that are still to come there.
  private var blockColumns: [Int] = []
  private var blockRow = 0

  init(_ plan: RegionPlan) {
    self.plan = plan
    level = plan.levels.lowerBound - 1
  }

  mutating func next() -> TileBlock? {
    while blockColumns.isEmpty {
      guard moveToNextRow() else { return nil }
    }
    let column = blockColumns.removeLast()
    var block = TileBlock(level: level, row: blockRow, column: column)
    for (row, ranges) in spans {
      for columns in ranges { block.insert(row: row, columns: columns) }
    }
    return block
  }

  /// Finds the columns of the next row of blocks.
  ///
  /// - Returns: Whether there is one.
  private mutating func moveToNextRow() -> Bool {
    while blockRows.isEmpty {
      level += 1
      guard level <= plan.levels.upperBound else { return false }
      guard let rows = plan.shape.rows(level: level) else { continue }
      blockRows = rows.lowerBound / TileBlock.side..<(rows.upperBound - 1) / TileBlock.side + 1
    }
    blockRow = blockRows.lowerBound
    blockRows = blockRows.dropFirst()
    let tileRows = TileBlock(level: level, row: blockRow, column: 0).rows
    let planned = plan.shape.rows(level: level) ?? 0..<0
    spans = tileRows.clamped(to: planned).map { row in
      (row, plan.shape.columns(level: level, row: row))
    }
    var columns: Set<Int> = []
    for range in spans.lazy.flatMap(\.columns) {
      columns.formUnion(
        range.lowerBound / TileBlock.side...(range.upperBound - 1) / TileBlock.side)
    }
    blockColumns = columns.sorted(by: >)
    return true
  }
}
