internal import Foundation
internal import PortolanGeometry

/// Circles around points and corridors along lines, as rings of coordinates in degrees.
enum GeodesicBuffer {
  /// The mean radius of the earth, in metres.
  private static let earthRadius = 6_371_008.8
  /// The corners of a circle.
  private static let cornerCount = 180
  /// The corners of what joins two bands of a corridor; few, since a line may have thousands of them.
  private static let jointCornerCount = 36

  /// The ring of places at `radius` metres from `center`, of longitudes that do not leap.
  static func ring(around center: Coordinate, radius: Double) -> [Coordinate] {
    ring(around: center, radius, cornerCount: cornerCount)
  }

  /// A ring around the circle, so that nothing of it is left out.
  private static func joint(at corner: Coordinate, radius: Double) -> [Coordinate] {
    ring(
      around: corner, radius / cos(.pi / Double(jointCornerCount)), cornerCount: jointCornerCount)
  }

  /// The east side of a circle from the south to the north, and its west side back.
  ///
  /// At each latitude the circle lies on both sides of its middle's meridian, as far as the law of
  /// cosines says: all around the world beside a pole that it contains.
  private static func ring(
    around center: Coordinate, _ radius: Double, cornerCount: Int
  ) -> [Coordinate] {
    let angle = min(radius / earthRadius * 180 / .pi, 180)
    // Beyond the edges of the map there are no tiles.
    let limit = TileCoords.latitudeLimit
    let (south, north) = (max(center.y - angle, -limit), min(center.y + angle, limit))
    guard south < north else { return [] }
    // From where on it goes all around.
    let around = [angle - 180 - center.y, 180 - center.y - angle].filter {
      south < $0 && $0 < north
    }
    let ends = [south] + around.sorted() + [north]
    let steps = cornerCount / 2
    // Closer together where its sides bend: as corners at even angles are.
    var latitudes: [Double] = []
    for (low, high) in zip(ends, ends.dropFirst()) {
      let (middle, half) = ((low + high) / 2, (high - low) / 2)
      for step in 0...steps {
        let turn = Double(step) * Double.pi / Double(steps)
        latitudes.append(middle - half * cos(turn))
      }
    }
    let widths = latitudes.map { halfWidth(at: $0, of: center.y, angle) }
    let sides = zip(latitudes, widths)
    return sides.map { Coordinate(x: center.x + $1, y: $0) }
      + sides.reversed().map { Coordinate(x: center.x - $1, y: $0) }
  }

  /// How far a circle reaches to the east at a latitude, in degrees like all of it.
  private static func halfWidth(
    at latitude: Double, of center: Double, _ angle: Double
  ) -> Double {
    let (here, middle) = (latitude * .pi / 180, center * .pi / 180)
    let scale = cos(here) * cos(middle)
    let rest = cos(angle * .pi / 180) - sin(here) * sin(middle)
    // On a pole, and around one, there is no other side.
    guard scale > 1e-12 else { return 180 }
    return acos(min(max(rest / scale, -1), 1)) * 180 / .pi
  }

  /// Rings that together cover what lies within `padding` metres of a line.
  ///
  /// Around each corner a circle, along each stretch a band whose sides touch both circles.
  static func rings(along line: [Coordinate], padding: Double) -> [[Coordinate]] {
    let corners = unwrapped(line.filter(isOnEarth)).flatMap(\.self)
    var rings = corners.enumerated().map { index, corner in
      index == 0 || index == corners.count - 1
        ? ring(around: corner, radius: padding) : joint(at: corner, radius: padding)
    }
    for (start, end) in zip(corners, corners.dropFirst()) where start != end {
      let heading = bearing(from: start, to: end)
      let sides = [heading - .pi / 2, heading + .pi / 2]
      rings.append([
        place(from: start, bearing: sides[0], padding),
        place(from: end, bearing: sides[0], padding),
        place(from: end, bearing: sides[1], padding),
        place(from: start, bearing: sides[1], padding),
      ])
    }
    return rings
  }

  /// Whether a place can be in degrees, even some times around the world; a line to any other would be cut
  /// into more pieces than there is memory for.
  private static func isOnEarth(_ place: Coordinate) -> Bool {
    abs(place.x) <= 3_600 && abs(place.y) <= 90
  }

  /// The line on the shorter way around the world, in pieces short enough to be straight.
  private static func unwrapped(_ line: [Coordinate]) -> [[Coordinate]] {
    var shift = 0.0
    var previous: Coordinate?
    return line.map { corner in
      var corner = corner
      if let last = previous {
        let step = corner.x + shift - last.x
        if step > 180 { shift -= 360 } else if step < -180 { shift += 360 }
      }
      corner.x += shift
      defer { previous = corner }
      guard let previous else { return [corner] }
      return pieces(from: previous, to: corner)
    }
  }

  /// The corners after `start`, one at least every degree.
  private static func pieces(from start: Coordinate, to end: Coordinate) -> [Coordinate] {
    let count = max(1, Int(max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up)))
    return (1...count).map { step in
      let part = Double(step) / Double(count)
      return Coordinate(
        x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
    }
  }

  /// The direction from one place to a near one on the map, clockwise from north.
  private static func bearing(from start: Coordinate, to end: Coordinate) -> Double {
    let narrowing = cos((start.y + end.y) / 2 * .pi / 180)
    return atan2((end.x - start.x) * narrowing, end.y - start.y)
  }

  /// The place at a distance in a direction, on a sphere.
  private static func place(
    from center: Coordinate, bearing: Double, _ distance: Double
  ) -> Coordinate {
    let angle = distance / earthRadius
    let latitude = center.y * .pi / 180
    let sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
    let turn = atan2(
      sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sine)
    return Coordinate(
      x: center.x + turn * 180 / .pi, y: asin(min(max(sine, -1), 1)) * 180 / .pi)
  }
}
