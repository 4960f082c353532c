/// Finds out which rings are holes of which, whatever their order and winding.
///
/// A ring inside an even number of others is an exterior, any other is a hole of the smallest
/// exterior around it. Rings are held against each other only where their boxes allow it, and the
/// work is limited: rings made to defeat that (many thousands, each around the next) are told
/// apart by their winding alone.
struct RingArrangement {
  /// For each ring the exterior whose hole it is; `nil` for exteriors.
  private(set) var exteriors: [Int?]

  /// Whether each ring must be reversed: exteriors run counter-clockwise, holes clockwise.
  var mustReverse: [Bool] {
    zip(exteriors, areas).map { $0 == nil ? $1 < 0 : $1 > 0 }
  }

  private let rings: [Path]
  private let areas: [Double]
  private let extents: [Envelope]
  private var edges: [Int: RingEdges] = [:]
  private var isExterior: [Bool]
  private var effort = 0
  private let effortLimit: Int

  /// How many boxes or edges may be looked at, beside a fair share for each vertex.
  private static let baseEffort = 2_000_000

  init(_ rings: [Path]) {
    self.rings = rings
    areas = rings.map { $0.signedArea.isNaN ? 0 : $0.signedArea }
    extents = rings.map(\.extent)
    exteriors = Array(repeating: nil, count: rings.count)
    isExterior = Array(repeating: true, count: rings.count)
    effortLimit = Self.baseEffort + 100 * rings.reduce(0) { $0 + $1.count }
    if rings.count > 1, !classifyByContainment() { classifyByWinding() }
  }

  /// The rings in order: each exterior, in the order given, before its holes in theirs.
  var order: [Int] {
    let holes = Dictionary(grouping: exteriors.indices.filter { exteriors[$0] != nil }) {
      exteriors[$0]
    }
    return exteriors.indices.filter { exteriors[$0] == nil }.flatMap { [$0] + (holes[$0] ?? []) }
  }

  /// Larger rings first, so that what lies around a ring is known before the ring itself.
  private mutating func classifyByContainment() -> Bool {
    let fromWest = rings.indices.sorted { extents[$0].xMin < extents[$1].xMin }
    let boxes = BoxIndex(fromWest.map { extents[$0] })
    let bySize = rings.indices.sorted { isLarger($0, than: $1) }
    for ring in bySize {
      var candidates: [Int] = []
      effort += boxes.visit(intersecting: extents[ring]) { position in
        let other = fromWest[position]
        if isLarger(other, than: ring), extents[other].contains(extents[ring]) {
          candidates.append(other)
        }
      }
      let around = candidates.filter { isRing(ring, inside: $0) }
      guard effort < effortLimit else { return false }
      let owner = around.filter { isExterior[$0] }.max { isLarger($0, than: $1) }
      isExterior[ring] = around.count.isMultiple(of: 2) || owner == nil || areas[ring] == 0
      exteriors[ring] = isExterior[ring] ? nil : owner
    }
    return true
  }

  /// A total order, so that of two equal rings only one can be around the other.
  private func isLarger(_ ring: Int, than other: Int) -> Bool {
    let (area, otherArea) = (abs(areas[ring]), abs(areas[other]))
    return area == otherArea ? ring < other : area > otherArea
  }

  /// Vertices may touch the ring around them, so two that do not must agree.
  private mutating func isRing(_ ring: Int, inside other: Int) -> Bool {
    guard areas[other] != 0, effort < effortLimit else { return false }
    let around = edges[other] ?? RingEdges(rings[other])
    edges[other] = around
    var votes = (inside: 0, outside: 0)
    for position in probes(of: rings[ring]) {
      switch around.location(of: position, effort: &effort) {
      case .inside: votes.inside += 1
      case .outside: votes.outside += 1
      case .boundary: continue
      }
      if max(votes.inside, votes.outside) == 2 { break }
    }
    // Nothing but shared vertices: two turns of the same outline, or none of our business.
    guard votes.inside != votes.outside else { return areas[ring] < 0 && areas[other] > 0 }
    return votes.inside > votes.outside
  }

  /// A few positions spread along the ring, then more for a ring that touches its surroundings.
  private func probes(of ring: Path) -> [Coordinate] {
    let coordinates = ring.coordinates
    let step = max(1, (coordinates.count - 1) / 3)
    let spread = stride(from: 0, to: coordinates.count - 1, by: step).map { coordinates[$0] }
    let middles = zip(coordinates, coordinates.dropFirst()).prefix(16).map {
      Coordinate(x: ($0.x + $1.x) / 2, y: ($0.y + $1.y) / 2)
    }
    return spread + coordinates.prefix(16) + middles
  }

  /// Clockwise rings belong to the exterior before them, as most writers have it.
  private mutating func classifyByWinding() {
    var exterior: Int?
    for ring in rings.indices {
      if areas[ring] < 0, let exterior {
        exteriors[ring] = exterior
      } else {
        exterior = ring
        exteriors[ring] = nil
      }
    }
  }
}
