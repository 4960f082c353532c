internal import PortolanGeometry

/// The location of a feature, on WGS 84.
struct PlacedShape: Hashable, Sendable {
  /// A position on it.
  var location: Coordinate?
  /// The box around it.
  var extent: Envelope?
  /// The shape, in its table's spatial reference.
  var geometry: Geometry?

  /// Projects a shape to WGS 84; one that cannot be projected has no place, and is found all the
  /// same.
  init(_ geometry: Geometry?, in spatialReference: SpatialReference?) {
    guard let geometry, !geometry.isEmpty else { return }
    self.geometry = geometry
    do throws(GeometryError) {
      let projection = try Projection(from: spatialReference ?? .wgs84, to: .wgs84)
      guard let position = Self.position(in: geometry), let box = geometry.extent else { return }
      location = try projection.project(position)
      extent = try projection.project(box)
    } catch {
      return
    }
  }

  /// The position itself, the middle of the longest line, or one inside of an area.
  private static func position(in geometry: Geometry) -> Coordinate? {
    switch geometry {
    case .point(let point): return point.coordinate
    case .multipoint(let points): return points.points.coordinates.first
    case .polyline(let line): return middle(of: line)
    case .polygon, .envelope:
      do throws(GeometryError) {
        if let inside = try GeometryEngine.labelPoint(for: geometry) { return inside }
      } catch {
        // An area that crosses itself has no inside that is known: the middle of its box will do.
      }
      return geometry.extent?.center
    }
  }

  private static func middle(of line: Polyline) -> Coordinate? {
    let paths = line.paths.map(\.coordinates)
    guard let longest = paths.max(by: { length(of: $0) < length(of: $1) }) else { return nil }
    var left = length(of: longest) / 2
    for (start, end) in zip(longest, longest.dropFirst()) {
      let step = start.squaredDistance(to: end).squareRoot()
      guard step < left || step == 0 else {
        let share = left / step
        return Coordinate(
          x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
      }
      left -= step
    }
    return longest.first
  }

  private static func length(of path: [Coordinate]) -> Double {
    zip(path, path.dropFirst()).reduce(0) { $0 + $1.0.squaredDistance(to: $1.1).squareRoot() }
  }
}
