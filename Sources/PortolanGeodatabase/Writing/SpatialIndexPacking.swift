internal import Foundation
internal import PortolanGeometry

/// Builds the nodes of an R*Tree of SQLite all at once, full and in good order.
///
/// Inserting row by row costs more than the rows themselves. Here the boxes are collected, put
/// in order along a Hilbert curve through their middles, and cut into nodes from the bottom up.
/// Up to ``limit`` boxes are in memory, with about 36 bytes a box at the peak; what goes beyond is
/// on the disk.
///
/// A tree is three tables: `_node` with the nodes as blobs (number 1 is the root, which begins
/// with the depth of the tree), `_rowid` with the leaf of each row, and `_parent` with the node
/// above each node. All numbers are big-endian.
///
/// - SeeAlso: [rtree.c](https://sqlite.org/src/file/ext/rtree/rtree.c), "Database Format"
package struct SpatialIndexPacking {
  /// The boxes that are in memory at the most.
  let limit: Int
  private(set) var rowIDs: [Int64] = []
  private(set) var boxes: [SpatialIndexBox] = []
  /// The boxes on the disk, which came before those in memory.
  private var spilled: ScratchFile<IndexedBox>?
  /// The box around the middles.
  private var extent = Envelope.empty

  /// Creates an index without boxes.
  package init(limit: Int = 1 << 16) { self.limit = limit }

  /// How many boxes there are.
  var count: Int { boxes.count + (spilled?.count ?? 0) }

  /// Adds the box of a row; a row may be added once.
  mutating func append(rowID: Int64, box: Envelope) {
    let box = SpatialIndexBox(box)
    rowIDs.append(rowID)
    boxes.append(box)
    extent.include(box.middle)
  }

  /// Moves the boxes to the disk that a folder is on, if there are too many for memory.
  mutating func spill(to folder: URL) throws(GeodatabaseWriterError) {
    if boxes.count >= limit { try spillAll(to: folder) }
  }

  private mutating func spillAll(to folder: URL) throws(GeodatabaseWriterError) {
    let file: ScratchFile<IndexedBox>
    if let spilled { file = spilled } else { file = try ScratchFile(in: folder) }
    spilled = file
    try file.append(zip(rowIDs, boxes).map { IndexedBox(rowID: $0, box: $1) })
    rowIDs.removeAll(keepingCapacity: true)
    boxes.removeAll(keepingCapacity: true)
  }

  /// The tree of boxes that are on the disk; `nil` if all are in memory.
  func sorted(nodeSize: Int, in folder: URL) throws(GeodatabaseWriterError) -> SortedSpatialIndex? {
    guard spilled != nil else { return nil }
    var all = self
    if !boxes.isEmpty { try all.spillAll(to: folder) }
    guard let file = all.spilled else { return nil }
    all.rowIDs = []
    all.boxes = []
    return try SortedSpatialIndex(of: all, file, nodeSize: nodeSize, in: folder)
  }

  /// The numbers of the boxes, in the order in which nodes take them up.
  var order: [UInt32] { HilbertCurve.order(of: boxes.map(position)) }

  /// The tree of what was added, in nodes of `nodeSize` bytes.
  func packed(nodeSize: Int) -> PackedSpatialIndex {
    let capacity = Self.capacity(ofNodesOf: nodeSize)
    let order = order
    var leaves = Level(of: order.count, capacity: capacity)
    leaves.boxes = leaves.ranges.map { range in
      Self.union(order[range].lazy.map { boxes[Int($0)] })
    }
    return PackedSpatialIndex(
      nodeSize: nodeSize, rowIDs: rowIDs, boxes: boxes, order: order,
      levels: Self.levels(above: leaves, capacity: capacity))
  }

  /// How many cells a node of so many bytes has.
  static func capacity(ofNodesOf nodeSize: Int) -> Int {
    max(2, (nodeSize - PackedSpatialIndex.headerSize) / PackedSpatialIndex.cellSize)
  }

  /// The leaves, and the levels above them up to the root.
  static func levels(above leaves: Level, capacity: Int) -> [Level] {
    var levels = [leaves]
    while let below = levels.last, below.ranges.count > 1 {
      var level = Level(of: below.ranges.count, capacity: capacity)
      level.boxes = level.ranges.map { union(below.boxes[$0].lazy.map { $0 }) }
      levels.append(level)
    }
    return levels
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

    /// How many nodes there are above a level.
    static func countAbove(_ level: Level, capacity: Int) -> Int {
      var (count, nodes) = (0, level.ranges.count)
      while nodes > 1 {
        nodes = (nodes + capacity - 1) / capacity
        count += nodes
      }
      return count
    }
  }

  private static func union(_ boxes: some Sequence<SpatialIndexBox?>) -> SpatialIndexBox? {
    var result: SpatialIndexBox?
    for case .some(let box) in boxes {
      if result == nil { result = box } else { result?.formUnion(box) }
    }
    return result
  }

  /// Where the middle of a box lies along the curve through the box around all.
  func position(of box: SpatialIndexBox) -> UInt32 {
    let cells = Double(HilbertCurve.side - 1)
    let xScale = extent.width > 0 ? cells / extent.width : 0
    let yScale = extent.height > 0 ? cells / extent.height : 0
    let middle = box.middle
    return HilbertCurve.position(
      column: UInt32((middle.x - extent.xMin) * xScale),
      row: UInt32((middle.y - extent.yMin) * yScale))
  }
}

extension SpatialIndexBox {
  fileprivate var middle: Coordinate {
    Coordinate(x: (Double(xMin) + Double(xMax)) / 2, y: (Double(yMin) + Double(yMax)) / 2)
  }
}
