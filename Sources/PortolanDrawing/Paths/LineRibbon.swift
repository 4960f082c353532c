internal import Foundation
internal import PortolanGeometry

/// A line with a width in triangles, in the way that programs have it that draw styles of vector tiles.
///
/// Points beside the line keep their distance from it along corners: they are moved along their
/// bisectors where these are short enough, and cross over where they are not.
struct LineRibbon {
  struct Vertex: Hashable {
    var place: Coordinate
    /// The position across the ribbon, to the right of the line.
    var across: Double
    /// The distance from the beginning of the line.
    var distance: Double
  }

  /// Bisectors of bevelled corners are cut from this length on, as a multiple of half of the width.
  static let bevelLimit = 1.05
  /// Longer bisectors belong to corners that turn back so far that the sides change places.
  static let flipLimit = 2.0
  /// The angle of the triangles of rounded corners and ends.
  private static let slice = Double.pi / 9

  private(set) var triangles: [[Vertex]] = []
  private let style: StrokeStyle
  /// The distance from the line to the outermost edge.
  private let reach: Double
  private let distanceStep: Double
  private var last: (first: Vertex, second: Vertex)?

  /// The triangles of a line.
  ///
  /// - Parameters:
  ///   - run: The vertices.
  ///   - isRing: Whether the last is joined with the first.
  ///   - style: The width, the gap, the joins and ends, and how far the line is moved.
  init(_ run: ArraySlice<Coordinate>, isRing: Bool, _ style: StrokeStyle) {
    self.style = style
    reach = style.gapWidth > 0 ? style.gapWidth / 2 + style.width : style.width / 2
    distanceStep = style.distanceStep
    var vertices: [Coordinate] = []
    for point in run {
      let length = vertices.last.map { PixelPath.distance($0, point) } ?? 1
      // Without a length there is no direction.
      if length > 0, length.isFinite { vertices.append(point) }
    }
    if isRing, vertices.count > 1, vertices.first == vertices.last { vertices.removeLast() }
    let isRing = isRing && vertices.count > 2
    guard vertices.count > 1, reach > 0 else { return }
    let edges = (0..<(isRing ? vertices.count : vertices.count - 1)).map {
      PathEdge(vertices[$0], vertices[($0 + 1) % vertices.count])
    }
    guard let first = edges.first, let end = edges.last else { return }
    var distance = isRing && style.countsClosingEdge ? end.length : 0
    if isRing {
      join(end, first, distance, isStart: true)
    } else {
      cap(first.start, first.right, distance, isStart: true)
    }
    for (number, edge) in edges.enumerated() {
      let next = number + 1 < edges.count ? edges[number + 1] : isRing ? first : nil
      let before = number > 0 ? edges[number - 1] : isRing ? end : nil
      straighten(edge, after: before, before: next, distance)
      distance += edge.length
      if let next {
        join(edge, next, distance, isStart: false, isEnd: number + 1 == edges.count)
      } else {
        cap(edge.end, edge.right, distance, isStart: false)
      }
    }
  }

  /// Joints near sharp corners, between which nothing is sheared.
  private mutating func straighten(
    _ edge: PathEdge, after before: PathEdge?, before next: PathEdge?, _ distance: Double
  ) {
    guard let sharp = style.shearReach else { return }
    var rest = edge.length
    if let before, rest > 2 * sharp, Corner(before, edge).isSharp {
      let joint = edge.joint(afterStart: sharp, on: style.tileGrid)
      add(joint, edge.right, distance + PixelPath.distance(edge.start, joint))
      rest -= sharp
    }
    if let next, rest > 2 * sharp, Corner(edge, next).isSharp {
      let joint = edge.joint(beforeEnd: sharp, on: style.tileGrid)
      add(joint, edge.right, distance + edge.length - PixelPath.distance(joint, edge.end))
    }
  }

  private mutating func cap(
    _ point: Coordinate, _ normal: Coordinate, _ distance: Double, isStart: Bool
  ) {
    let ahead = isStart ? -1.0 : 1.0
    switch style.cap {
    case .butt: add(point, normal, distance)
    case .square: add(point, normal, distance, right: ahead, left: ahead)
    case .round:
      add(point, normal, distance)
      fan(point, normal, distance, ahead)
    }
  }

  /// The half of a disc at an end.
  private mutating func fan(
    _ point: Coordinate, _ normal: Coordinate, _ distance: Double, _ ahead: Double
  ) {
    let center = Coordinate(
      x: point.x - normal.x * style.offset, y: point.y - normal.y * style.offset)
    let middle = Vertex(place: center, across: 0, distance: stepped(distance))
    let count = Int((Double.pi / Self.slice).rounded(.up)) * 2
    let rim = (0...count).map { number in
      let angle = Double(number) / Double(count) * .pi
      let (along, aside) = (sin(angle) * ahead * reach, cos(angle) * reach)
      var vertex = middle
      vertex.place.x += normal.x * aside + normal.y * along
      vertex.place.y += normal.y * aside - normal.x * along
      vertex.across = reach
      return vertex
    }
    for (start, end) in zip(rim, rim.dropFirst()) { triangles.append([middle, start, end]) }
  }

  private mutating func join(
    _ before: PathEdge, _ after: PathEdge, _ distance: Double, isStart: Bool, isEnd: Bool = false
  ) {
    let corner = Corner(before, after)
    switch kind(corner) {
    case .miter:
      add(after.start, corner.bisector.scaled(corner.length), distance)
    case .flip:
      if !isStart { add(after.start, corner.flipped, distance) }
      add(after.start, corner.flipped.scaled(-1), distance)
    case .round:
      if !isStart {
        add(after.start, before.right, distance)
        fan(after.start, before.right, distance, 1)
        last = nil
      }
      if !isEnd {
        fan(after.start, after.right, distance, -1)
        add(after.start, after.right, distance)
      }
    case .bevel, .slices:
      let back = -max(corner.length * corner.length - 1, 0).squareRoot()
      let (right, left) = corner.turn > 0 ? (back, 0) : (0, back)
      if !isStart {
        add(after.start, before.right, distance, right: right, left: left)
        if kind(corner) == .slices { slices(corner, after.start, distance) }
      }
      if !isEnd {
        add(after.start, after.right, distance, right: -right, left: -left)
      } else {
        closeBevel(corner, after, distance)
      }
    }
  }

  /// The triangle of the outer side of a corner in which a ring ends.
  private mutating func closeBevel(_ corner: Corner, _ after: PathEdge, _ distance: Double) {
    guard let last else { return }
    let side = corner.turn > 0 ? -1.0 : 1.0
    triangles.append(
      [last.first, last.second, vertex(after.start, after.right.scaled(side), side, 0, distance)])
  }

  private mutating func slices(_ corner: Corner, _ point: Coordinate, _ distance: Double) {
    let count = Int((2 * acos(min(corner.cosine, 1)) / Self.slice).rounded())
    guard count > 1 else { return }
    let side = corner.turn > 0 ? -1.0 : 1.0
    for number in 1..<count {
      let share = Double(number) / Double(count)
      let normal = Coordinate(
        x: corner.before.x + (corner.after.x - corner.before.x) * share,
        y: corner.before.y + (corner.after.y - corner.before.y) * share)
      let length = (normal.x * normal.x + normal.y * normal.y).squareRoot()
      guard length > 0, let last else { continue }
      let next = vertex(point, normal.scaled(side / length), side, 0, distance)
      triangles.append([last.first, last.second, next])
      self.last = side < 0 ? (last.first, next) : (next, last.second)
    }
  }

  private enum Kind { case miter, bevel, slices, round, flip }

  private func kind(_ corner: Corner) -> Kind {
    let length = corner.length
    switch style.join {
    case .round where length >= style.roundLimit:
      return length <= Self.flipLimit ? .slices : .round
    case .miter where length <= style.miterLimit, .round where length <= style.miterLimit:
      return .miter
    case .bevel where length < Self.bevelLimit: return .miter
    case .miter, .round, .bevel: return length > Self.flipLimit ? .flip : .bevel
    }
  }

  /// Adds both sides at a place on the line, and the triangles that reach there; `right` and `left`
  /// say how far ahead of the place they are, as multiples of the reach.
  private mutating func add(
    _ point: Coordinate, _ normal: Coordinate, _ distance: Double, right: Double = 0,
    left: Double = 0
  ) {
    let first = vertex(point, normal, 1, right, distance)
    let second = vertex(point, normal.scaled(-1), -1, left, distance)
    if let last {
      triangles.append([last.first, last.second, first])
      triangles.append([last.second, first, second])
    }
    last = (first, second)
  }

  /// - Parameters:
  ///   - point: The place on the line.
  ///   - normal: To the side of the vertex.
  ///   - side: 1 to the right of the line, -1 to the left.
  ///   - ahead: How far along the line the vertex is from the place, as a multiple of the reach.
  ///   - distance: How far along the line the place is.
  /// - Returns: The vertex, moved aside as the style says.
  private func vertex(
    _ point: Coordinate, _ normal: Coordinate, _ side: Double, _ ahead: Double, _ distance: Double
  ) -> Vertex {
    // Along the line is a quarter turn from its right side.
    let along = Coordinate(x: normal.y * side * ahead, y: -normal.x * side * ahead)
    let extrude = Coordinate(x: normal.x + along.x, y: normal.y + along.y)
    var moved = extrude
    // As in MapLibre Native only vertices of ends, and of corners that turn as far, are turned back.
    if abs(ahead) >= 1 {
      let turn = ahead > 0 ? side / 2 : -side / 2
      moved = Coordinate(
        x: extrude.x / 2 - extrude.y * turn, y: extrude.x * turn + extrude.y / 2)
    }
    return Vertex(
      place: Coordinate(
        x: point.x + extrude.x * reach - moved.x * style.offset * side,
        y: point.y + extrude.y * reach - moved.y * style.offset * side),
      across: side * reach, distance: stepped(distance))
  }

  private func stepped(_ distance: Double) -> Double {
    MiteredStrip.stepped(distance, by: distanceStep)
  }
}
