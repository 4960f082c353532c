internal import Foundation
internal import PortolanArchives

/// Writes a side index: leaves as they come, then what is above them, then the header.
///
/// - SeeAlso: Docs/SIDE-INDEX.md
struct SideIndexWriter: ~Copyable {
  private var file: StagedFile
  private let layout: SideIndexLayout
  private var buffer: [UInt8] = []
  /// The place of each leaf, in units, and its box.
  private var leaves: [UInt32] = []
  private var boxes: [SpatialIndexBox] = []

  private static let bufferSize = 1 << 20

  /// Begins a file, which nobody sees before it is complete.
  init(replacing url: URL, _ layout: SideIndexLayout) throws(ArchiveError) {
    var file = try StagedFile(replacing: url, permissions: 0o600)
    var rest = layout.leavesStart
    while rest > 0 {
      let count = min(rest, Self.bufferSize)
      try file.write(Data(count: count))
      rest -= count
    }
    self.file = file
    self.layout = layout
    leaves.reserveCapacity(layout.leafCount)
    boxes.reserveCapacity(layout.leafCount)
  }

  /// An entry of a leaf.
  struct Entry {
    let key: Int64
    let objectID: Int64
    let box: SpatialIndexBox
    /// The shape as it is stored, empty for none; `nil` for one that stays in the table.
    let shape: [UInt8]?
  }

  /// Appends the next leaf.
  mutating func append(_ entries: [Entry]) throws(ArchiveError) {
    let start = file.count + buffer.count
    guard let unit = UInt32(exactly: start / SideIndexLayout.unit), let first = entries.first
    else {
      throw .unwritable(file: "the side index", reason: "it would be too large")
    }
    buffer += Self.leaf(entries, number: leaves.count)
    leaves.append(unit)
    boxes.append(entries.dropFirst().reduce(into: first.box) { $0.formUnion($1.box) })
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Writes what is above the leaves and the header, and gives the file its name.
  ///
  /// - Parameter header: Makes the header for a file of so many bytes.
  /// - Throws: ``ArchiveError`` if there is no room, for example.
  consuming func commit(
    _ header: (_ fileLength: Int) -> SideIndexHeader
  ) throws(ArchiveError) {
    try flush()
    try file.overwrite(innerNodes(), at: layout.headerLength)
    try file.overwrite(header(file.count).data, at: 0)
    try file.commit()
  }

  private mutating func flush() throws(ArchiveError) {
    try file.write(Data(buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  /// All nodes above the leaves, level by level.
  private func innerNodes() -> Data {
    var data = Data()
    var below = boxes
    for level in layout.nodeCounts.indices.dropFirst() {
      var next: [SpatialIndexBox] = []
      for node in 0..<layout.nodeCounts[level] {
        let first = node * SideIndexLayout.fanOut
        let range = first..<first + layout.entryCount(ofNode: node, level: level)
        data += Self.inner(
          below[range], leaves: level == 1 ? leaves[range] : [], number: node, level: level)
        next.append(below[range].dropFirst().reduce(into: below[first]) { $0.formUnion($1) })
      }
      below = next
    }
    return data
  }
}

// MARK: - Nodes

extension SideIndexWriter {
  private static func leaf(_ entries: [Entry], number: Int) -> [UInt8] {
    let absent = entries.enumerated().reduce(UInt16(0)) { bits, entry in
      entry.element.shape == nil ? bits | 1 << UInt16(entry.offset) : bits
    }
    var node = head(level: 0, number: number, absent: absent)
    appendBoxes(entries.map(\.box), to: &node)
    let none = Array(repeating: UInt64(0), count: SideIndexLayout.fanOut - entries.count)
    for key in entries.map({ UInt64(bitPattern: $0.key) }) + none { node.append(key) }
    for id in entries.map({ UInt64(bitPattern: $0.objectID) }) + none { node.append(id) }
    var end = UInt32(SideIndexNode.shapesOffset)
    for index in 0..<SideIndexLayout.fanOut {
      if index < entries.count { end += UInt32(entries[index].shape?.count ?? 0) }
      node.append(end)
    }
    for entry in entries { node += entry.shape ?? [] }
    return sealed(node, size: nil)
  }

  private static func inner(
    _ boxes: ArraySlice<SpatialIndexBox>, leaves: ArraySlice<UInt32>, number: Int, level: Int
  ) -> [UInt8] {
    var node = head(level: level, number: number, absent: 0)
    appendBoxes(Array(boxes), to: &node)
    for leaf in leaves { node.append(leaf) }
    return sealed(node, size: SideIndexLayout.innerSize)
  }

  private static func head(level: Int, number: Int, absent: UInt16) -> [UInt8] {
    var node = [UInt8](repeating: 0, count: SideIndexNode.levelOffset)
    node.append(UInt32(level))
    node.append(UInt32(number))
    node.append(absent)
    return node + [UInt8](repeating: 0, count: SideIndexNode.boxesOffset - node.count)
  }

  /// Boxes that are not there are inside out, so that nothing meets them.
  private static func appendBoxes(_ boxes: [SpatialIndexBox], to node: inout [UInt8]) {
    let sides: [((SpatialIndexBox) -> Float, Float)] = [
      (\.xMin, .infinity), (\.xMax, -.infinity), (\.yMin, .infinity), (\.yMax, -.infinity),
    ]
    for (side, none) in sides {
      for index in 0..<SideIndexLayout.fanOut {
        node.append((index < boxes.count ? side(boxes[index]) : none).bitPattern)
      }
    }
  }

  /// A node filled up to its size, or to the next place where one can begin, with its length and
  /// checksum.
  private static func sealed(_ node: [UInt8], size: Int?) -> [UInt8] {
    let unit = SideIndexLayout.unit
    let length = size ?? (node.count + unit - 1) / unit * unit
    var node = node + [UInt8](repeating: 0, count: length - node.count)
    node.store(UInt32(length), at: SideIndexNode.lengthOffset)
    var checksum = CRC32()
    unsafe node.withUnsafeBytes { bytes in
      unsafe checksum.add(UnsafeRawBufferPointer(rebasing: bytes[SideIndexNode.lengthOffset...]))
    }
    node.store(checksum.value, at: 0)
    return node
  }
}

extension [UInt8] {
  /// Replaces four bytes by a number, lowest byte first.
  fileprivate mutating func store(_ number: UInt32, at offset: Int) {
    for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }
}
