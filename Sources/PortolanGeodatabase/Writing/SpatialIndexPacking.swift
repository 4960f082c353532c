internal import PortolanGeometry

/// Builds the nodes of an R*Tree of SQLite all at once, full and in good order.
///
/// Inserting row by row costs more than the rows themselves. Here the boxes are collected, put
/// in order along a Hilbert curve through their middles, and cut into nodes from the bottom up.
/// Needs about 36 bytes a box at its peak.
///
/// A tree is three tables: `_node` with the nodes as blobs (number 1 is the root, which begins
/// with the depth of the tree), `_rowid` with the leaf of each row, and `_parent` with the node
/// above each node. All numbers are big-endian.
///
/// - SeeAlso: [rtree.c](https://sqlite.org/src/file/ext/rtree/rtree.c), "Database Format"
package struct SpatialIndexPacking {
  private(set) var rowIDs: [Int64] = []
  private(set) var boxes: [SpatialIndexBox] = []

  /// How many boxes there are.
  var count: Int { boxes.count }

  /// Adds the box of a row; a row may be added once.
  mutating func append(rowID: Int64, box: Envelope) {
    rowIDs.append(rowID)
    boxes.append(SpatialIndexBox(box))
  }

  /// The numbers of the boxes, in the order in which nodes take them up.
  var order: [UInt32] { HilbertCurve.order(of: positions()) }

  /// The tree of what was added, in nodes of `nodeSize` bytes.
  func packed(nodeSize: Int) -> PackedSpatialIndex {
    let capacity = max(2, (nodeSize - PackedSpatialIndex.headerSize) / PackedSpatialIndex.cellSize)
    let order = order
    var levels = [Level(of: order.count, capacity: capacity)]
    levels[0].boxes = levels[0].ranges.map { range in
      union(order[range].lazy.map { boxes[Int($0)] })
    }
    while let below = levels.last, below.ranges.count > 1 {
      var level = Level(of: below.ranges.count, capacity: capacity)
      level.boxes = level.ranges.map { union(below.boxes[$0].lazy.map { $0 }) }
      levels.append(level)
    }
    return PackedSpatialIndex(
      nodeSize: nodeSize, rowIDs: rowIDs, boxes: boxes, order: order, levels: levels)
  }

  /// The nodes at one height, bottom first: what each holds of the level below, and its box.
  struct Level {
    var ranges: [Range<Int>]
    var boxes: [SpatialIndexBox?] = []

    /// Shares `count` things out evenly, so that no node is left with too few.
    init(of count: Int, capacity: Int) {
      let nodes = max(1, (count + capacity - 1) / capacity)
      ranges = (0..<nodes).map { ($0 * count / nodes)..<(($0 + 1) * count / nodes) }
    }
  }

  private func union(_ boxes: some Sequence<SpatialIndexBox?>) -> SpatialIndexBox? {
    var result: SpatialIndexBox?
    for case .some(let box) in boxes {
      if result == nil { result = box } else { result?.formUnion(box) }
    }
    return result
  }

  /// Where the middles lie along the curve through the box around all.
  private func positions() -> [UInt32] {
    var extent = Envelope.empty
    for box in boxes { extent.include(box.middle) }
    let cells = Double(HilbertCurve.side - 1)
    let xScale = extent.width > 0 ? cells / extent.width : 0
    let yScale = extent.height > 0 ? cells / extent.height : 0
    return boxes.map { box in
      let middle = box.middle
      return HilbertCurve.position(
        column: UInt32((middle.x - extent.xMin) * xScale),
        row: UInt32((middle.y - extent.yMin) * yScale))
    }
  }
}

extension SpatialIndexBox {
  fileprivate var middle: Coordinate {
    Coordinate(x: (Double(xMin) + Double(xMax)) / 2, y: (Double(yMin) + Double(yMax)) / 2)
  }
}
