/// The nodes of a packed R*Tree, ready to be written.
///
/// - SeeAlso: ``SpatialIndexPacking``
struct PackedSpatialIndex {
  /// The bytes before the cells of a node: the depth of the tree in the root, and how many cells
  /// there are.
  static let headerSize = 4

  /// The bytes of a cell: a row or node, and its box.
  static let cellSize = 24

  let nodeSize: Int
  let rowIDs: [Int64]
  let boxes: [SpatialIndexBox]
  /// The rows in the order of the leaves.
  let order: [UInt32]
  /// Leaves first.
  let levels: [SpatialIndexPacking.Level]

  /// The number of the first node of each level: the root is 1, leaves come last.
  private var firstNodes: [Int64] {
    var first: Int64 = 1
    var numbers: [Int64] = []
    for level in levels.reversed() {
      numbers.append(first)
      first += Int64(level.ranges.count)
    }
    return numbers.reversed()
  }

  /// Calls `body` with each node, in the order of their numbers.
  func forEachNode<Failure: Error>(
    _ body: (_ number: Int64, _ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let firstNodes = firstNodes
    for height in levels.indices.reversed() {
      for (index, range) in levels[height].ranges.enumerated() {
        let node = height == 0 ? leaf(range) : inner(range, above: height - 1, firstNodes)
        try body(firstNodes[height] + Int64(index), node)
      }
    }
  }

  /// Calls `body` with each node that is no leaf, in the order of their numbers.
  func forEachInnerNode<Failure: Error>(
    _ body: (_ number: Int64, _ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let firstNodes = firstNodes
    for height in levels.indices.dropFirst().reversed() {
      for (index, range) in levels[height].ranges.enumerated() {
        try body(firstNodes[height] + Int64(index), inner(range, above: height - 1, firstNodes))
      }
    }
  }

  /// Calls `body` with each node but the root and the node above it, in the order of their
  /// numbers.
  func forEachParent<Failure: Error>(
    _ body: (_ node: Int64, _ parent: Int64) throws(Failure) -> Void
  ) throws(Failure) {
    let firstNodes = firstNodes
    for height in levels.indices.dropFirst().reversed() {
      for (index, children) in levels[height].ranges.enumerated() {
        for child in children {
          try body(firstNodes[height - 1] + Int64(child), firstNodes[height] + Int64(index))
        }
      }
    }
  }

  /// Calls `body` with each row and its leaf, in the order of the rows.
  func forEachRow<Failure: Error>(
    _ body: (_ rowID: Int64, _ leaf: Int64) throws(Failure) -> Void
  ) throws(Failure) {
    var leaves = [UInt32](repeating: 0, count: order.count)
    for (leaf, range) in (levels.first?.ranges ?? []).enumerated() {
      for position in range { leaves[Int(order[position])] = UInt32(leaf) }
    }
    let first = firstNodes.first ?? 1
    let isAscending = zip(rowIDs, rowIDs.dropFirst()).allSatisfy { $0 < $1 }
    // As a rule they are, and then no list of them is needed.
    guard !isAscending else {
      for row in rowIDs.indices { try body(rowIDs[row], first + Int64(leaves[row])) }
      return
    }
    for row in rowIDs.indices.sorted(by: { rowIDs[$0] < rowIDs[$1] }) {
      try body(rowIDs[row], first + Int64(leaves[row]))
    }
  }

  private func leaf(_ range: Range<Int>) -> [UInt8] {
    var node = SpatialIndexNode(size: nodeSize, depth: 0)
    for position in range {
      let row = Int(order[position])
      node.append(id: rowIDs[row], box: boxes[row])
    }
    return node.bytes
  }

  private func inner(_ range: Range<Int>, above height: Int, _ firstNodes: [Int64]) -> [UInt8] {
    // Only the root says how deep the tree is.
    let isRoot = height == levels.count - 2
    var node = SpatialIndexNode(size: nodeSize, depth: isRoot ? height + 1 : 0)
    for child in range {
      guard let box = levels[height].boxes[child] else { continue }
      node.append(id: firstNodes[height] + Int64(child), box: box)
    }
    return node.bytes
  }
}

/// A node being filled.
struct SpatialIndexNode {
  private(set) var bytes: [UInt8]
  private var end = PackedSpatialIndex.headerSize
  private var count: UInt16 = 0

  init(size: Int, depth: Int) {
    bytes = [UInt8](repeating: 0, count: size)
    store(UInt16(truncatingIfNeeded: depth), at: 0)
  }

  mutating func append(id: Int64, box: SpatialIndexBox) {
    store(UInt64(bitPattern: id), at: end)
    store(box.xMin.bitPattern, at: end + 8)
    store(box.xMax.bitPattern, at: end + 12)
    store(box.yMin.bitPattern, at: end + 16)
    store(box.yMax.bitPattern, at: end + 20)
    end += PackedSpatialIndex.cellSize
    count += 1
    store(count, at: 2)
  }

  @inline(__always)
  private mutating func store(_ value: some FixedWidthInteger, at offset: Int) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.storeBytes(of: value.bigEndian, toByteOffset: offset, as: type(of: value).self)
    }
  }
}
