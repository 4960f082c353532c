internal import Foundation
internal import PortolanGeometry

/// The edges of an area in Web Mercator, in parts of the world's sides.
///
/// x grows to the east from 0 at -180 degrees, beyond 1 across the antimeridian; y grows to the
/// south from 0 at the northern edge.
struct WorldArea: Hashable, Sendable {
  private struct Edge: Hashable, Sendable {
    var x1, y1, x2, y2: Double

    var top: Double { min(y1, y2) }
    var bottom: Double { max(y1, y2) }
  }

  /// More than what sums are rounded by, and far less than a tile.
  static let rounding = 1e-13

  /// The edges, those that begin further north first.
  private var edges: [Edge] = []
  /// The height of the highest edge: no other reaches further down from where it begins.
  private var tallestEdge = 0.0
  /// Whether all edges are of one ring, so that what they cover from west to east has no gap.
  private var isOneRing: Bool
  private(set) var yMin = Double.infinity
  private(set) var yMax = -Double.infinity
  private(set) var xMin = Double.infinity
  private(set) var xMax = -Double.infinity

  /// Creates an area from rings in degrees.
  init(rings: [[Coordinate]]) {
    isOneRing = rings.count == 1
    for ring in rings {
      var previous: (x: Double, y: Double)?
      for coordinate in ring + ring.prefix(1) where coordinate.x.isFinite && coordinate.y.isFinite {
        let point = (
          x: TileCoords.worldX(coordinate.x), y: TileCoords.worldYInside(coordinate.y)
        )
        if let previous { add(Edge(x1: previous.x, y1: previous.y, x2: point.x, y2: point.y)) }
        previous = point
      }
    }
    edges.sort { $0.top < $1.top }
  }

  /// Whether there is nothing of it.
  var isEmpty: Bool { edges.isEmpty }

  private mutating func add(_ edge: Edge) {
    edges.append(edge)
    tallestEdge = max(tallestEdge, edge.bottom - edge.top)
    (xMin, xMax) = (min(xMin, edge.x1, edge.x2), max(xMax, edge.x1, edge.x2))
    (yMin, yMax) = (min(yMin, edge.y1, edge.y2), max(yMax, edge.y1, edge.y2))
  }

  /// Where the part of the area in a stripe from `top` to `bottom` lies, from west to east.
  ///
  /// A place lies under it if an edge does, or if the area is there at the top of the stripe: what is
  /// inside and meets no edge up to the top is inside there too.
  func intervals(from top: Double, to bottom: Double) -> [ClosedRange<Double>] {
    guard yMin <= bottom, yMax >= top else { return [] }
    if isOneRing, yMin > top, yMax <= bottom { return [xMin...xMax] }
    var found: [ClosedRange<Double>] = []
    var crossings: [Double] = []
    let first = edges.firstIndex(reaching: top - tallestEdge - Self.rounding, by: \.top)
    for edge in edges[first...] {
      if edge.top > bottom { break }
      guard edge.bottom >= top else { continue }
      found.append(Self.part(of: edge, from: top, to: bottom))
      if (edge.y1 <= top) != (edge.y2 <= top) {
        crossings.append(Self.x(of: edge, at: top))
      }
    }
    crossings.sort()
    for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
      found.append(crossings[pair]...crossings[pair + 1])
    }
    return found
  }

  private static func part(
    of edge: Edge, from top: Double, to bottom: Double
  ) -> ClosedRange<Double> {
    guard edge.y1 != edge.y2 else { return min(edge.x1, edge.x2)...max(edge.x1, edge.x2) }
    let upper = min(max(edge.top, top), bottom)
    let lower = min(max(edge.bottom, top), bottom)
    let ends = [x(of: edge, at: upper), x(of: edge, at: lower)]
    return min(ends[0], ends[1])...max(ends[0], ends[1])
  }

  private static func x(of edge: Edge, at y: Double) -> Double {
    guard edge.y1 != edge.y2 else { return edge.x1 }
    // An end is taken as it is, so that two edges meet.
    if y == edge.y1 { return edge.x1 }
    if y == edge.y2 { return edge.x2 }
    return edge.x1 + (edge.x2 - edge.x1) * (y - edge.y1) / (edge.y2 - edge.y1)
  }
}

extension RandomAccessCollection {
  /// Where the first element is whose number is not below `limit`, in a collection that is sorted by
  /// that number.
  func firstIndex(reaching limit: Double, by number: (Element) -> Double) -> Index {
    var (low, count) = (startIndex, self.count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if number(self[middle]) < limit {
        low = index(after: middle)
        count -= half + 1
      } else {
        count = half
      }
    }
    return low
  }
}
