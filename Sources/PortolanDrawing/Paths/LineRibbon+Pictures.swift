internal import Foundation
package import PortolanGeometry

extension DrawCommand {
  /// The areas of one line; what is beyond is left out.
  private static let maximumCount = 20_000
  /// Longer areas are cut, for a slanted one lies in a large box.
  private static let longest = 256.0
  /// Areas reach so far into the next one, so that nothing shows between them.
  private static let overlap = 0.5

  /// The steps that draw copies of a picture one after the other along a line, bent with it.
  ///
  /// - Parameters:
  ///   - tile: The picture; its height goes across the line, from left to right, and its middle is on
  ///     the line, or where that is moved.
  ///   - path: The line.
  ///   - style: How wide the line is, with its gap, joins and ends.
  ///   - box: What is seen.
  /// - Returns: The steps.
  package static func pictures(
    _ tile: FillStyle.PictureTile, along path: PixelPath, _ style: StrokeStyle, seenIn box: Envelope
  ) -> [DrawCommand] {
    // Parts that are clipped away must not show where areas overlap.
    let near = box.expanded(by: 2 * overlap)
    let sides = LineRibbon.sides(style)
    var steps: [DrawCommand] = []
    for (number, run) in path.runs.enumerated() {
      let isRing = path.isClosed && !path.openRuns.contains(number)
      for area in LineRibbon(run, isRing: isRing, style).areas(overlap: overlap) {
        guard let ground = area.ground else { continue }
        let placed = ground.placed(tile)
        for side in sides {
          let part = side.map { area.corners.clipped(across: $0) } ?? area.corners
          for piece in part.clipped(to: near).pieces(longest: longest, overlap: overlap)
          where steps.count < maximumCount {
            let shape = PixelPath([piece.map(\.place)], isClosed: true)
            if shape.bounds.intersects(box) { steps.append(.fill(shape, .picture(placed))) }
          }
        }
      }
    }
    return steps
  }
}

extension LineRibbon {
  /// A part of the ribbon in which what is counted along it and across it changes evenly.
  fileprivate struct Area {
    /// `nil` where it has no width.
    var ground: Ground?
    var corners: [Vertex]
  }

  /// The position along the line and across it, as it changes over the picture.
  fileprivate struct Ground {
    /// The change below which a position counts as unchanged.
    private static let least = 1e-6

    let start: Vertex
    /// The distance along the line that is passed in a pixel across the picture, and in one down.
    let along: Coordinate
    /// The same across the line, to its right.
    let across: Coordinate

    /// `nil` if the triangle has no width.
    init?(_ triangle: [Vertex]) {
      let (first, second, third) = (triangle[0], triangle[1], triangle[2])
      let (x, y) = (second.place.x - first.place.x, second.place.y - first.place.y)
      let (u, v) = (third.place.x - first.place.x, third.place.y - first.place.y)
      let area = x * v - u * y
      guard abs(area) > Self.least else { return nil }
      func change(_ value: (Vertex) -> Double) -> Coordinate {
        let (one, other) = (value(second) - value(first), value(third) - value(first))
        return Coordinate(x: (one * v - other * y) / area, y: (other * x - one * u) / area)
      }
      (start, along, across) = (first, change(\.distance), change(\.across))
    }

    func vertex(at place: Coordinate) -> Vertex {
      let (x, y) = (place.x - start.place.x, place.y - start.place.y)
      return Vertex(
        place: place, across: start.across + across.x * x + across.y * y,
        distance: start.distance + along.x * x + along.y * y)
    }

    func isAlike(_ other: Ground) -> Bool {
      func isNear(_ one: Coordinate, _ other: Coordinate) -> Bool {
        abs(one.x - other.x) < Self.least && abs(one.y - other.y) < Self.least
      }
      let here = vertex(at: other.start.place)
      return isNear(along, other.along) && isNear(across, other.across)
        && abs(here.distance - other.start.distance) < 1e-3
    }

    /// Copies that are counted from where the line begins, their middle on it.
    func placed(_ tile: FillStyle.PictureTile) -> FillStyle.PictureTile {
      let steepness = (across.x * across.x + across.y * across.y).squareRoot()
      guard steepness > Self.least else { return tile }
      let right = across.scaled(1 / steepness)
      let ahead = Coordinate(x: right.y, y: -right.x)
      var growth = along.x * ahead.x + along.y * ahead.y
      // A copy of which nothing is passed is as good as endless.
      if abs(growth) < Self.least { growth = Self.least }
      let lean = along.x * right.x + along.y * right.y
      let aside = (-tile.height / 2 - start.across) / steepness
      let passed = (start.distance + lean * aside).truncatingRemainder(dividingBy: tile.width)
      let back = passed / growth
      var placed = tile
      placed.width = tile.width / growth
      placed.height = tile.height / steepness
      placed.skew = lean / growth
      placed.angle = -atan2(ahead.y, ahead.x) * 180 / .pi
      placed.offset = Coordinate(
        x: start.place.x - ahead.x * back + right.x * aside,
        y: start.place.y - ahead.y * back + right.y * aside)
      return placed
    }
  }

  /// The triangles, each reaching a little into the next; those that are alike are one.
  fileprivate func areas(overlap: Double) -> [Area] {
    var areas: [Area] = []
    var number = 0
    while number < triangles.count {
      let triangle = triangles[number]
      let next = number + 1 < triangles.count ? triangles[number + 1] : []
      let ground = Ground(triangle)
      number += 1
      guard let ground, triangle.filter(next.contains).count == 2 else {
        areas.append(Area(ground: ground, corners: triangle))
        continue
      }
      if let other = Ground(next), ground.isAlike(other) {
        let following = number + 1 < triangles.count ? triangles[number + 1] : []
        let shape = Self.joined(triangle, next)
        areas.append(Area(ground: ground, corners: ground.grown(shape, to: following, by: overlap)))
        number += 1
      } else {
        areas.append(Area(ground: ground, corners: ground.grown(triangle, to: next, by: overlap)))
      }
    }
    return areas
  }

  /// The quadrilateral of two triangles that share a side.
  private static func joined(_ triangle: [Vertex], _ next: [Vertex]) -> [Vertex] {
    guard let own = triangle.firstIndex(where: { !next.contains($0) }),
      let other = next.first(where: { !triangle.contains($0) })
    else { return triangle }
    return [triangle[own], triangle[(own + 1) % 3], other, triangle[(own + 2) % 3]]
  }
}

extension LineRibbon.Ground {
  /// A shape that reaches a little over the side that it shares with the next one.
  fileprivate func grown(
    _ shape: [LineRibbon.Vertex], to next: [LineRibbon.Vertex], by overlap: Double
  ) -> [LineRibbon.Vertex] {
    let side = shape.indices.first { index in
      next.contains(shape[index]) && next.contains(shape[(index + 1) % shape.count])
    }
    guard let side else { return shape }
    let (start, end) = (shape[side].place, shape[(side + 1) % shape.count].place)
    let inside = shape[(side + 2) % shape.count].place
    let length = PixelPath.distance(start, end)
    guard length > 0 else { return shape }
    var out = Coordinate(x: (end.y - start.y) / length, y: (start.x - end.x) / length)
    if (inside.x - start.x) * out.x + (inside.y - start.y) * out.y > 0 { out = out.scaled(-1) }
    let beyond = [start, end].map {
      vertex(at: Coordinate(x: $0.x + out.x * overlap, y: $0.y + out.y * overlap))
    }
    var grown = shape
    grown.insert(contentsOf: beyond, at: side + 1)
    return grown
  }
}

extension [LineRibbon.Vertex] {
  /// The shape in parts none of which is longer, each reaching a little into the next.
  fileprivate func pieces(longest: Double, overlap: Double) -> [Self] {
    let distances = map(\.distance)
    guard count > 2, let low = distances.min(), let high = distances.max() else { return [] }
    guard high - low > longest else { return [self] }
    let parts = Swift.min(((high - low) / longest).rounded(.up), 1000)
    return (0..<Int(parts)).map { part in
      let start = low + (high - low) * Double(part) / parts
      let end = low + (high - low) * Double(part + 1) / parts + overlap
      return clipped { $0.distance - start }.clipped { end - $0.distance }
    }.filter { $0.count > 2 }
  }
}
