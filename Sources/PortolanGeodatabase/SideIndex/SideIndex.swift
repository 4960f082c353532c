internal import PortolanArchives
package import PortolanGeometry

package import struct Foundation.URL

/// Finds what is under a tap in a mapped file that holds the boxes and small shapes of a table.
///
/// A cache beside the database: whoever gets no answer asks the database, which has the same. Each
/// node is compared with its checksum when it is first used. One thread uses it at a time.
///
/// - SeeAlso: Docs/SIDE-INDEX.md
package final class SideIndex {
  let header: SideIndexHeader
  private let layout: SideIndexLayout
  private let source: FileByteSource
  private let comparesChecksums: Bool
  /// A bit for each node whose checksum was found right.
  private var checked: [UInt64]
  private var pending: [Place] = []

  /// A node above the leaves.
  private struct Place {
    let node: Int
    let level: Int
  }

  /// How a search goes on after a candidate.
  enum Verdict {
    case next
    case stop
    /// The index cannot tell.
    case unanswered
  }

  /// Opens an index; `nil` for whatever is none, or is not as long as it says.
  ///
  /// The file is mapped, so it must be one that nobody cuts: one of a folder of ours.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - comparesChecksums: Whether checksums count; without them changed inputs reach what a
  ///     checksum keeps them from.
  package init?(at url: URL, comparingChecksums comparesChecksums: Bool = true) {
    // An index that is absent or cannot be read is none; the database answers.
    guard let source = try? FileByteSource(at: url, access: .mapped),
      // The same.
      let head = try? source.read(0..<min(source.count, SideIndexLayout.longestHeader)),
      let header = SideIndexHeader(
        [UInt8](head), fileLength: source.count, comparingChecksums: comparesChecksums),
      let layout = SideIndexLayout(
        headerLength: SideIndexHeader.length(table: header.table, path: header.path),
        rowCount: header.rowCount),
      // Each leaf has its fixed part at least, so that a small file cannot claim a great tree.
      layout.leavesStart + layout.leafCount * SideIndexNode.shapesOffset <= source.count
    else { return nil }
    self.header = header
    self.layout = layout
    self.source = source
    self.comparesChecksums = comparesChecksums
    checked = Array(repeating: 0, count: (layout.innerCount + layout.leafCount + 63) / 64)
  }

  /// The object ids of the shapes near a place, as ``GeodatabaseReader`` finds them; `nil` if the
  /// index cannot tell.
  package func objectIDs(
    touching place: Coordinate, within tolerance: Double, limit: Int
  ) -> [Int64]? {
    guard limit > 0 else { return [] }
    let query = SideIndexQuery(
      xMin: place.x - tolerance, xMax: place.x + tolerance, yMin: place.y - tolerance,
      yMax: place.y + tolerance)
    let probe = GeometryBlobProbe(at: place, tolerance: tolerance, precision: header.precision)
    var ids: [Int64] = []
    let isAnswered = forEachCandidate(query) { leaf, entry in
      guard let shape = unsafe leaf.shape(entry) else { return .unanswered }
      do {
        guard unsafe !shape.isEmpty, try unsafe probe.touches(shape) else { return .next }
      } catch {
        // What is wrong with a shape, the database says.
        return .unanswered
      }
      ids.append(leaf.objectID(entry))
      return ids.count < limit ? .next : .stop
    }
    guard isAnswered else { return nil }
    if ids.count > 1 { ids.sort() }
    return ids
  }

  /// The keys of the rows whose boxes meet an extent, in ascending order; `nil` if the index cannot
  /// tell or they are more than `most`.
  package func rowKeys(meeting extent: Envelope, most: Int) -> [Int64]? {
    let query = SideIndexQuery(
      xMin: extent.xMin, xMax: extent.xMax, yMin: extent.yMin, yMax: extent.yMax)
    var keys: [Int64] = []
    let isAnswered = forEachCandidate(query) { leaf, entry in
      keys.append(leaf.rowKey(entry))
      return keys.count <= most ? .next : .unanswered
    }
    return isAnswered ? keys.sorted() : nil
  }

  /// Hands out the entries of leaves whose boxes meet a box; returns whether all could be.
  private func forEachCandidate(
    _ query: SideIndexQuery, _ body: (SideIndexLeaf, Int) -> Verdict
  ) -> Bool {
    guard layout.rowCount > 0 else { return true }
    // Mapped bytes are lent without a failure; the range is the whole.
    let isAnswered = try? unsafe source.withBytes(in: 0..<source.count) { bytes in
      unsafe search(bytes, query, body)
    }
    return isAnswered ?? false
  }

  private func search(
    _ bytes: UnsafeRawBufferPointer, _ query: SideIndexQuery,
    _ body: (SideIndexLeaf, Int) -> Verdict
  ) -> Bool {
    pending.removeAll(keepingCapacity: true)
    pending.append(Place(node: 0, level: layout.rootLevel))
    while let place = pending.popLast() {
      guard let node = unsafe innerNode(place, bytes) else { return false }
      var found = unsafe entries(of: node, place.node, level: place.level, meeting: query)
      while found != 0 {
        let entry = found.trailingZeroBitCount
        found &= found &- 1
        let child = place.node * SideIndexLayout.fanOut + entry
        guard place.level == 1 else {
          pending.append(Place(node: child, level: place.level - 1))
          continue
        }
        let unit = unsafe node.loadUnaligned(
          fromByteOffset: SideIndexNode.leavesOffset + 4 * entry, as: UInt32.self)
        guard let leaf = unsafe leaf(child, at: Int(UInt32(littleEndian: unit)), bytes) else {
          return false
        }
        switch unsafe search(leaf, child, query, body) {
        case .next: continue
        case .stop: return true
        case .unanswered: return false
        }
      }
    }
    return true
  }

  @inline(__always)
  private func search(
    _ leaf: UnsafeRawBufferPointer, _ number: Int, _ query: SideIndexQuery,
    _ body: (SideIndexLeaf, Int) -> Verdict
  ) -> Verdict {
    var found = unsafe entries(of: leaf, number, level: 0, meeting: query)
    while found != 0 {
      let verdict = unsafe body(SideIndexLeaf(leaf), found.trailingZeroBitCount)
      guard case .next = verdict else { return verdict }
      found &= found &- 1
    }
    return .next
  }

  /// A bit for each entry of a node whose box meets the one asked for.
  @inline(__always)
  private func entries(
    of node: UnsafeRawBufferPointer, _ number: Int, level: Int, meeting query: SideIndexQuery
  ) -> UInt32 {
    guard let start = node.baseAddress else { return 0 }
    let count = layout.entryCount(ofNode: number, level: level)
    return unsafe query.meeting(start + SideIndexNode.boxesOffset) & ((1 << UInt32(count)) - 1)
  }
}

// MARK: - Nodes

extension SideIndex {
  private func innerNode(
    _ place: Place, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    let start = layout.start(ofInnerNode: place.node, level: place.level)
    let node = unsafe UnsafeRawBufferPointer(
      rebasing: bytes[start..<start + SideIndexLayout.innerSize])
    return unsafe isSound(node, place.node, level: place.level) ? node : nil
  }

  private func leaf(
    _ number: Int, at unit: Int, _ bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    let start = unit * SideIndexLayout.unit
    guard start >= layout.leavesStart, start + SideIndexNode.shapesOffset <= bytes.count else {
      return nil
    }
    let stored = unsafe bytes.loadUnaligned(
      fromByteOffset: start + SideIndexNode.lengthOffset, as: UInt32.self)
    let length = Int(UInt32(littleEndian: stored))
    guard length >= SideIndexNode.shapesOffset, length <= SideIndexNode.longestLeaf,
      length <= bytes.count - start
    else { return nil }
    let leaf = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    return unsafe isSound(leaf, number, level: 0) ? leaf : nil
  }

  /// Whether a node is the one that is due and has its checksum, which is computed once.
  @inline(__always)
  private func isSound(_ node: UnsafeRawBufferPointer, _ number: Int, level: Int) -> Bool {
    let place = layout.number(ofNode: number, level: level)
    let bit: UInt64 = 1 << UInt64(place & 63)
    if checked[place >> 6] & bit != 0 { return true }
    func stored(_ offset: Int) -> Int {
      unsafe Int(UInt32(littleEndian: node.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    guard unsafe !comparesChecksums || stored(0) == Self.checksum(node),
      stored(SideIndexNode.lengthOffset) == node.count,
      stored(SideIndexNode.levelOffset) == level, stored(SideIndexNode.numberOffset) == number
    else { return false }
    checked[place >> 6] |= bit
    return true
  }

  private static func checksum(_ node: UnsafeRawBufferPointer) -> Int {
    var checksum = CRC32()
    unsafe checksum.add(UnsafeRawBufferPointer(rebasing: node[SideIndexNode.lengthOffset...]))
    return Int(checksum.value)
  }
}
