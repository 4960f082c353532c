internal import Foundation
internal import PortolanGeometry

/// Finds where lines meet: where they cross, or where one ends beside the other on the ground, as
/// the streets of a T do, which few people draw to the last digit.
struct LineMeeting {
  /// How far from a line another may end that meets it, in metres.
  private static let tolerance = 2.0

  private let reference: SpatialReference
  private let toDegrees: Projection
  private let isGeographic: Bool

  /// Prepares for lines in a spatial reference.
  init(in reference: SpatialReference) throws(GeometryError) {
    self.reference = reference
    toDegrees = try Projection(from: reference, to: .wgs84)
    isGeographic = try reference.properties().isGeographic
  }

  /// What boxes of lines are enlarged by before it is asked whether they touch: rather too much.
  var margin: Double { isGeographic ? 0.001 : 100 }

  /// Projects the lines of another table to these.
  func projection(from other: SpatialReference) throws(GeometryError) -> Projection {
    try Projection(from: other, to: reference)
  }

  /// Where two lines meet, on WGS 84.
  func places(where line: Geometry, meets other: Geometry) -> [Coordinate] {
    // Lines that cannot be compared have no crossing that is known.
    let common = try? GeometryEngine.intersection(line, other)
    let crossings =
      if case .multipoint(let places)? = common {
        places.points.coordinates
      } else {
        // Of a stretch that both have, the beginning.
        (common?.paths ?? []).compactMap(\.coordinates.first)
      }
    guard crossings.isEmpty else { return crossings.compactMap(degrees) }
    let end = end(of: line, on: other) ?? end(of: other, on: line)
    return end.map { [$0] } ?? []
  }

  /// The place on `other` beside which a path of `line` begins or ends.
  private func end(of line: Geometry, on other: Geometry) -> Coordinate? {
    for path in line.paths {
      for end in [path.coordinates.first, path.coordinates.last].compactMap(\.self) {
        guard let foot = nearest(to: end, on: other), let start = degrees(end),
          let place = degrees(foot),
          GeometryEngine.geodeticDistance(from: start, to: place) <= Self.tolerance
        else { continue }
        return place
      }
    }
    return nil
  }

  private func degrees(_ coordinate: Coordinate) -> Coordinate? {
    // What lies outside of its projection is nowhere.
    try? toDegrees.project(coordinate)
  }

  /// The nearest place on a line; degrees of longitude are as short as they are there.
  private func nearest(to place: Coordinate, on line: Geometry) -> Coordinate? {
    let scale = isGeographic ? max(0.01, cos(place.y * .pi / 180)) : 1
    var best: (coordinate: Coordinate, distance: Double)?
    for path in line.paths {
      for (start, end) in zip(path.coordinates, path.coordinates.dropFirst()) {
        let foot = Self.foot(of: place, start, end, scale)
        let distance = hypot((foot.x - place.x) * scale, foot.y - place.y)
        if distance < best?.distance ?? .infinity { best = (foot, distance) }
      }
    }
    return best?.coordinate
  }

  private static func foot(
    of place: Coordinate, _ start: Coordinate, _ end: Coordinate, _ scale: Double
  ) -> Coordinate {
    let (width, height) = ((end.x - start.x) * scale, end.y - start.y)
    let square = width * width + height * height
    guard square > 0 else { return start }
    let along = (place.x - start.x) * scale * width + (place.y - start.y) * height
    let share = min(1, max(0, along / square))
    return Coordinate(
      x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
  }
}
