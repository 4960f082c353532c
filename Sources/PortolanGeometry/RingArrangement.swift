/// Finds out which rings are holes of which, whatever their order and winding.
///
/// A ring inside an even number of others is an exterior, any other is a hole of the smallest
/// exterior around it. Rings are held against each other only where their boxes allow it, and the
/// work is limited: rings made to defeat that (many thousands, each around the next) are
/// classified by their winding alone.
struct RingArrangement {
  /// The exterior whose hole each ring is; `nil` for exteriors.
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

  /// The number of boxes or edges that may be examined, beside a fair share for each vertex.
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

  /// Vertices may touch the ring around them, so the first that do not must agree.
  ///
  /// Where they do not, the rings cross, or share all vertices: then the windings tell. Nothing
  /// here depends on where a ring starts or which way it runs, so that rings once arranged stay.
  private mutating func isRing(_ ring: Int, inside other: Int) -> Bool {
    guard areas[other] != 0, effort < effortLimit else { return false }
    let around = edges[other] ?? RingEdges(rings[other])
    edges[other] = around
    for probes in [rings[ring].extremes, rings[ring].manyPositions] {
      let locations = probes.map { around.location(of: $0, effort: &effort) }
      switch (locations.contains(.inside), locations.contains(.outside)) {
      case (true, false): return true
      case (false, true): return false
      case (true, true): return areas[ring] < 0 && areas[other] > 0
      case (false, false): continue
      }
    }
    return areas[ring] < 0 && areas[other] > 0
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

extension Path {
  /// The vertices farthest to the west and to the east; of several the southernmost, or the
  /// northernmost.
  fileprivate var extremes: [Coordinate] {
    guard var west = coordinates.first else { return [] }
    var east = west
    for coordinate in coordinates {
      if (coordinate.x, coordinate.y) < (west.x, west.y) { west = coordinate }
      if (coordinate.x, coordinate.y) > (east.x, east.y) { east = coordinate }
    }
    return [west, east]
  }

  /// Vertices and the middles between them, for a ring that touches its surroundings.
  fileprivate var manyPositions: [Coordinate] {
    let middles = zip(coordinates, coordinates.dropFirst()).prefix(64).map {
      Coordinate(x: ($0.x + $1.x) / 2, y: ($0.y + $1.y) / 2)
    }
    return coordinates.prefix(64) + middles
  }
}
