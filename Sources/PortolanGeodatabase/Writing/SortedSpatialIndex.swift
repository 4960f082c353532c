internal import Foundation

/// A box on its way into a spatial index, as it is kept on the disk.
struct IndexedBox: BitwiseCopyable {
  let rowID: Int64
  let box: SpatialIndexBox
}

/// The nodes of an R*Tree of more boxes than are to be in memory: these are sorted on the disk.
///
/// Runs of boxes are put in order along the curve in memory and written; what merges them comes in
/// the order of the leaves. The nodes are the same as ``PackedSpatialIndex`` makes. In memory are
/// one run, and four bytes a box that say in which leaf it is.
struct SortedSpatialIndex {
  /// A box of a run.
  private struct Entry: BitwiseCopyable {
    let position: UInt32
    /// The number of the box, in the order in which they came.
    let number: UInt32
    let rowID: Int64
    let box: SpatialIndexBox
  }

  private let boxes: ScratchFile<IndexedBox>
  private let runs: ScratchFile<Entry>
  private let runLength: Int
  private let nodeSize: Int

  /// Sorts boxes.
  ///
  /// - Parameters:
  ///   - packing: The boxes, all of them on the disk.
  ///   - boxes: Where they are.
  ///   - nodeSize: The bytes of a node.
  ///   - folder: Where files may be kept.
  /// - Throws: ``GeodatabaseWriterError``.
  init(
    of packing: SpatialIndexPacking, _ boxes: ScratchFile<IndexedBox>, nodeSize: Int, in folder: URL
  ) throws(GeodatabaseWriterError) {
    self.boxes = boxes
    self.nodeSize = nodeSize
    runLength = packing.limit
    runs = try ScratchFile(in: folder)
    for start in stride(from: 0, to: boxes.count, by: runLength) {
      let some = try boxes.values(start..<min(start + runLength, boxes.count))
      let positions = some.map { packing.position(of: $0.box) }
      let order = HilbertCurve.order(of: positions)
      try runs.append(
        order.map { index in
          let box = some[Int(index)]
          return Entry(
            position: positions[Int(index)], number: UInt32(start) + index, rowID: box.rowID,
            box: box.box)
        })
    }
  }

  /// Calls `node` with each node, `row` with each row and its leaf in the order in which rows came,
  /// and `parent` with each node but the root and the node above it.
  func forEach<Failure: Error>(
    node: (_ number: Int64, _ bytes: [UInt8]) throws(Failure) -> Void,
    row: (_ rowID: Int64, _ leaf: Int64) throws(Failure) -> Void,
    parent: (_ node: Int64, _ parent: Int64) throws(Failure) -> Void
  ) throws {
    let capacity = SpatialIndexPacking.capacity(ofNodesOf: nodeSize)
    var leaves = SpatialIndexPacking.Level(of: boxes.count, capacity: capacity)
    let first = SpatialIndexPacking.Level.countAbove(leaves, capacity: capacity) + 1
    var leafOfBox = [UInt32](repeating: 0, count: boxes.count)
    var merge = Merge(runs, runLength: runLength)
    for (index, range) in leaves.ranges.enumerated() {
      var bytes = SpatialIndexNode(size: nodeSize, depth: 0)
      var union: SpatialIndexBox?
      for _ in range {
        guard let entry = try merge.next() else { break }
        bytes.append(id: entry.rowID, box: entry.box)
        leafOfBox[Int(entry.number)] = UInt32(index)
        if union == nil { union = entry.box } else { union?.formUnion(entry.box) }
      }
      leaves.boxes.append(union)
      try node(Int64(first + index), bytes.bytes)
    }
    let tree = PackedSpatialIndex(
      nodeSize: nodeSize, rowIDs: [], boxes: [], order: [],
      levels: SpatialIndexPacking.levels(above: leaves, capacity: capacity))
    try tree.forEachInnerNode(node)
    for start in stride(from: 0, to: boxes.count, by: runLength) {
      let some = try boxes.values(start..<min(start + runLength, boxes.count))
      for (index, box) in some.enumerated() {
        try row(box.rowID, Int64(first) + Int64(leafOfBox[start + index]))
      }
    }
    try tree.forEachParent(parent)
  }

  /// Reads runs at the same time, each in its order, and gives what is next of all.
  private struct Merge {
    private static let piece = 2_048

    private struct Run {
      var rest: Range<Int>
      var entries: ArraySlice<Entry> = []
    }

    private let file: ScratchFile<Entry>
    private var runs: [Run] = []

    init(_ file: ScratchFile<Entry>, runLength: Int) {
      self.file = file
      runs = stride(from: 0, to: file.count, by: runLength).map { start in
        Run(rest: start..<min(start + runLength, file.count))
      }
    }

    mutating func next() throws(GeodatabaseWriterError) -> Entry? {
      var least: (run: Int, position: UInt32)?
      for index in runs.indices {
        guard let entry = try head(index) else { continue }
        // Of equal ones those come first that came first, as in memory.
        if let found = least, found.position <= entry.position { continue }
        least = (index, entry.position)
      }
      return least.flatMap { runs[$0.run].entries.popFirst() }
    }

    private mutating func head(_ index: Int) throws(GeodatabaseWriterError) -> Entry? {
      if let entry = runs[index].entries.first { return entry }
      let rest = runs[index].rest
      guard !rest.isEmpty else { return nil }
      let end = min(rest.lowerBound + Self.piece, rest.upperBound)
      runs[index].entries = try file.values(rest.lowerBound..<end)[...]
      runs[index].rest = end..<rest.upperBound
      return runs[index].entries.first
    }
  }
}
