internal import Foundation
internal import PortolanGeometry

/// The edges of an area on the map of the web, in parts of the world's sides.
///
/// x grows to the east from 0 at -180 degrees, beyond 1 across the antimeridian; y grows to the
/// south from 0 at the northern edge.
struct WorldArea: Hashable, Sendable {
  private struct Edge: Hashable, Sendable {
    var x1, y1, x2, y2: Double
  }

  private var edges: [Edge] = []
  private(set) var yMin = Double.infinity
  private(set) var yMax = -Double.infinity
  private(set) var xMin = Double.infinity
  private(set) var xMax = -Double.infinity

  /// Creates an area from rings in degrees.
  init(rings: [[Coordinate]]) {
    for ring in rings {
      var previous: (x: Double, y: Double)?
      for coordinate in ring + ring.prefix(1) where coordinate.x.isFinite && coordinate.y.isFinite {
        let limit = TileCoords.latitudeLimit
        let point = (
          x: TileCoords.worldX(coordinate.x),
          y: TileCoords.worldY(min(max(coordinate.y, -limit), limit))
        )
        if let previous { add(Edge(x1: previous.x, y1: previous.y, x2: point.x, y2: point.y)) }
        previous = point
      }
    }
    edges.sort { min($0.y1, $0.y2) < min($1.y1, $1.y2) }
  }

  private mutating func add(_ edge: Edge) {
    edges.append(edge)
    (xMin, xMax) = (min(xMin, edge.x1, edge.x2), max(xMax, edge.x1, edge.x2))
    (yMin, yMax) = (min(yMin, edge.y1, edge.y2), max(yMax, edge.y1, edge.y2))
  }

  /// Where the part of the area in a stripe from `top` to `bottom` lies, from west to east.
  ///
  /// A place lies under it if an edge does, or if the area is there at the top of the stripe: what is
  /// inside and meets no edge up to the top is inside there too.
  func intervals(from top: Double, to bottom: Double) -> [ClosedRange<Double>] {
    guard yMin <= bottom, yMax >= top else { return [] }
    var found: [ClosedRange<Double>] = []
    var crossings: [Double] = []
    for edge in edges {
      if min(edge.y1, edge.y2) > bottom { break }
      guard max(edge.y1, edge.y2) >= top else { continue }
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
    let upper = min(max(min(edge.y1, edge.y2), top), bottom)
    let lower = min(max(max(edge.y1, edge.y2), top), bottom)
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
