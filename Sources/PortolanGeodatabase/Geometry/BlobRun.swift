/// The vertices of one path or ring in the whole numbers of a geometry blob.
struct BlobRun {
  /// The vertices; those of a ring begin and end with the same one.
  var positions: [BlobShape.Position]
  /// The heights, one a vertex, or none.
  var heights: [Int64]
  /// The measures, one a vertex, or none.
  var measures: [Int64]

  /// How a reader finds the end of a ring.
  enum RingEnd {
    /// By the first vertex, which comes again only there: other rings may follow in the part.
    case firstVertex
    /// By the end of the part, which the ring must have for itself.
    case part
  }

  /// Turns a closed ring so that a reader finds its end.
  ///
  /// A ring that touches itself may have to start at another vertex. If no start works, vertices
  /// that repeat the one before are left out, which changes nothing but their heights and measures.
  ///
  /// - Throws: ``GeometryBlobError/ambiguousRing`` if a reader would always find several rings.
  mutating func arrangeRing() throws(GeometryBlobError) -> RingEnd {
    if let end = ringEnd { return end }
    if let end = endAfterRotation() { return end }
    removeRepetitions()
    guard let end = ringEnd ?? endAfterRotation() else { throw .ambiguousRing }
    return end
  }

  /// How the ring ends from its present start on; `nil` if it would be taken for several.
  private var ringEnd: RingEnd? {
    guard positions.count >= PartCutter.leastRingCount else { return .part }
    var cutter = PartCutter(findsRings: true)
    for (index, position) in positions.enumerated() {
      cutter.include(position.x, position.y, at: index)
    }
    if cutter.runs == [positions.indices] { return .firstVertex }
    cutter.separate(at: positions.count)
    return cutter.runs == [positions.indices] ? .part : nil
  }

  private mutating func endAfterRotation() -> RingEnd? {
    guard let start = uniqueVertex else { return nil }
    rotate(toStartAt: start)
    return ringEnd
  }

  /// The first vertex that the ring passes only once.
  private var uniqueVertex: Int? {
    var visits: [BlobShape.Position: Int] = [:]
    for position in positions.dropLast() { visits[position, default: 0] += 1 }
    return positions.dropLast().firstIndex { visits[$0] == 1 }
  }

  private mutating func rotate(toStartAt start: Int) {
    positions.rotateRing(toStartAt: start)
    heights.rotateRing(toStartAt: start)
    measures.rotateRing(toStartAt: start)
  }

  private mutating func removeRepetitions() {
    let kept = positions.indices.filter { $0 == 0 || positions[$0] != positions[$0 - 1] }
    positions = kept.map { positions[$0] }
    if !heights.isEmpty { heights = kept.map { heights[$0] } }
    if !measures.isEmpty { measures = kept.map { measures[$0] } }
    closeRing()
  }

  /// Ends a ring of which a single vertex is left with that vertex, as all rings do.
  private mutating func closeRing() {
    guard positions.count == 1 else { return }
    positions += positions
    heights += heights
    measures += measures
  }
}

extension Array {
  /// Turns a closed ring so that it starts, and ends, at another of its vertices.
  fileprivate mutating func rotateRing(toStartAt start: Int) {
    guard start > 0, start < count else { return }
    self = Array(self[start..<(count - 1)] + self[0...start])
  }
}
