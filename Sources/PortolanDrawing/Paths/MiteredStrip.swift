internal import PortolanGeometry

/// A line with a width in quadrilaterals, each from the bisector of one corner to that of the next.
///
/// Dashes, which are counted along the line, are sheared with them, as programs that draw
/// lines in triangles have it.
struct MiteredStrip {
  /// A place along the line with its two sides.
  struct Joint: Hashable {
    var center: Coordinate
    var left: Coordinate
    var right: Coordinate
    /// The distance from the beginning of the line.
    var distance: Double
  }

  /// Corners that turn by more, as the cosine of half of it, shear only what is near them.
  private static let cosineOfSharp = 0.793

  private(set) var joints: [Joint] = []
  private let half: Double
  private let sharpReach: Double
  private let distanceStep: Double
  private let grid: TileGrid?

  /// The joints of a line; `nil` if its corners are too sharp, or too near each other for its width.
  ///
  /// - Parameters:
  ///   - run: The vertices.
  ///   - isRing: Whether the last is joined with the first.
  ///   - width: The width of the line.
  ///   - limit: How long bisectors may be, as a multiple of half of the width.
  ///   - sharpReach: How far from sharp corners anything is sheared.
  ///   - distanceStep: What the distances of joints are multiples of; 0 for exact ones.
  ///   - grid: In whole steps of which joints are from sharp corners; `nil` for joints on the line.
  ///   - start: The distance at the first vertex.
  init?(
    _ run: ArraySlice<Coordinate>, isRing: Bool, width: Double, limit: Double, sharpReach: Double,
    distanceStep: Double = 0, grid: TileGrid? = nil, from start: Double = 0
  ) {
    half = width / 2
    self.distanceStep = distanceStep
    self.grid = grid
    self.sharpReach = sharpReach
    var vertices: [Coordinate] = []
    for point in run where point != vertices.last { vertices.append(point) }
    if isRing, vertices.count > 1, vertices.first == vertices.last { vertices.removeLast() }
    guard vertices.count > (isRing ? 2 : 1) else { return nil }
    let edges = (0..<(isRing ? vertices.count : vertices.count - 1)).map { index in
      PathEdge(vertices[index], vertices[(index + 1) % vertices.count])
    }
    var distance = start
    for (index, edge) in edges.enumerated() {
      let before = index > 0 ? edges[index - 1] : isRing ? edges[edges.count - 1] : edge
      let after = index + 1 < edges.count ? edges[index + 1] : isRing ? edges[0] : edge
      guard let first = Self.miter(before, edge), let last = Self.miter(edge, after),
        first.length <= limit, last.length <= limit
      else { return nil }
      joints.append(joint(edge.start, first.normal, distance))
      if edge.length > 2 * sharpReach {
        if first.isSharp {
          let place = edge.joint(afterStart: sharpReach, on: grid)
          straighten(edge, at: place, distance + PixelPath.distance(edge.start, place))
        }
        if last.isSharp {
          let place = edge.joint(beforeEnd: sharpReach, on: grid)
          let passed = distance + edge.length
          straighten(edge, at: place, passed - PixelPath.distance(place, edge.end))
        }
      }
      distance += edge.length
      if index + 1 == edges.count { joints.append(joint(edge.end, last.normal, distance)) }
    }
    // The inner side of a line that is wider than it is long would run backwards.
    if isTwisted { return nil }
  }

  /// The quadrilaterals, each between two joints.
  var pieces: [Piece] { zip(joints, joints.dropFirst()).map { Piece(start: $0, end: $1) } }

  /// Whether a quadrilateral turns back on one of its sides.
  private var isTwisted: Bool {
    zip(joints, joints.dropFirst()).contains { start, end in
      let ahead = start.center.step(to: end.center)
      return ahead.dot(start.left.step(to: end.left)) < 0
        || ahead.dot(start.right.step(to: end.right)) < 0
    }
  }

  private mutating func straighten(_ edge: PathEdge, at place: Coordinate, _ distance: Double) {
    joints.append(joint(place, edge.left, distance))
  }

  private func joint(_ center: Coordinate, _ normal: Coordinate, _ distance: Double) -> Joint {
    func beside(_ distance: Double) -> Coordinate {
      Coordinate(x: center.x + normal.x * distance, y: center.y + normal.y * distance)
    }
    return Joint(
      center: center, left: beside(half), right: beside(-half),
      distance: Self.stepped(distance, by: distanceStep))
  }

  /// A distance rounded down to a multiple of a step, unless that is 0.
  static func stepped(_ distance: Double, by step: Double) -> Double {
    // A distance that rounding has made a little less than a multiple counts as that multiple.
    step > 0 ? (distance / step + 1e-3).rounded(.down) * step : distance
  }

  /// The bisector of a corner; `nil` where the line turns back.
  private static func miter(
    _ before: PathEdge, _ after: PathEdge
  ) -> (normal: Coordinate, length: Double, isSharp: Bool)? {
    let sum = Coordinate(
      x: before.left.x + after.left.x, y: before.left.y + after.left.y)
    let square = sum.x * sum.x + sum.y * sum.y
    guard square > 1e-6 else { return nil }
    let cosine = square.squareRoot() / 2
    let scale = 2 / square
    return (
      Coordinate(x: sum.x * scale, y: sum.y * scale), 1 / cosine, cosine < cosineOfSharp
    )
  }
}

extension MiteredStrip {
  /// A quadrilateral between two joints, in two triangles.
  struct Piece {
    var start: Joint
    var end: Joint

    /// The parts of it between distances, each as the corners of an area.
    func areas(_ dashes: [ClosedRange<Double>]) -> [[Coordinate]] {
      let length = end.distance - start.distance
      guard length > 0 else {
        // A piece in which nothing is counted is all dash, or all gap.
        return dashes.isEmpty ? [] : [[start.left, start.right, end.right, end.left]]
      }
      return dashes.compactMap { dash in
        let low = max((dash.lowerBound - start.distance) / length, 0)
        let high = min((dash.upperBound - start.distance) / length, 1)
        return low < high ? across(low) + across(high).reversed() : nil
      }
    }

    /// From side to side, by way of the diagonal in which the triangles meet.
    private func across(_ share: Double) -> [Coordinate] {
      [
        start.left.mixed(end.left, share), start.left.mixed(end.right, share),
        start.right.mixed(end.right, share),
      ]
    }
  }
}

extension Coordinate {
  fileprivate func step(to other: Coordinate) -> Coordinate {
    Coordinate(x: other.x - x, y: other.y - y)
  }

  fileprivate func dot(_ other: Coordinate) -> Double { x * other.x + y * other.y }

  fileprivate func mixed(_ other: Coordinate, _ share: Double) -> Coordinate {
    Coordinate(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
  }
}
