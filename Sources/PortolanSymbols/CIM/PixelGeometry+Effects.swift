internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry

extension PixelGeometry {
  /// The shape with each vertex put elsewhere.
  func mapped(_ transform: (Coordinate) -> Coordinate) -> PixelGeometry {
    switch self {
    case .points(let points): .points(points.map(transform))
    case .lines(let path): .lines(path.mapped(transform))
    case .area(let path): .area(path.mapped(transform))
    }
  }

  func mappedPaths(_ change: (PixelPath) -> PixelPath) -> PixelGeometry {
    switch self {
    case .points: self
    case .lines(let path): .lines(change(path))
    case .area(let path): .area(change(path))
    }
  }

  /// The shape stretched and turned around its middle, by degrees counter-clockwise.
  func turned(_ degrees: Double, x: Double, y: Double) -> PixelGeometry {
    guard let path, !path.isEmpty, degrees.isFinite else { return self }
    let center = path.bounds.center
    let angle = -degrees.remainder(dividingBy: 360) * .pi / 180
    let (cosine, sine) = (cos(angle), sin(angle))
    return mapped { place in
      let (across, down) = ((place.x - center.x) * x, (place.y - center.y) * y)
      return Coordinate(
        x: center.x + across * cosine - down * sine, y: center.y + across * sine + down * cosine)
    }
  }

  /// The area within a distance of the shape; `nil` if nothing is left of it.
  func buffered(_ distance: Double) -> PixelGeometry? {
    guard distance != 0 else { return self }
    let seen = mappedPaths { $0.isClosed ? $0.seenArea : $0.seenLines }
    // Shapes that cannot be widened are drawn as they are.
    guard let area = try? GeometryEngine.buffer(around: seen.ground, distance: distance) else {
      return self
    }
    let runs = area.rings.map { Array($0.coordinates.dropLast()) }
    return runs.isEmpty ? nil : .area(path(of: runs))
  }

  /// The smallest area without bays around the shape.
  var convexHull: PixelGeometry {
    // Shapes without an area around them are drawn as they are.
    guard case .polygon(let hull)? = try? GeometryEngine.convexHull(of: ground) else {
      return self
    }
    return .area(path(of: hull.rings.map { Array($0.coordinates.dropLast()) }))
  }

  /// Areas that are seen where the shape is.
  func path(of rings: [[Coordinate]]) -> PixelPath {
    var area = path?.emptied(isClosed: true) ?? PixelPath(isClosed: true)
    for ring in rings { area.append(ring) }
    return area
  }

  private var path: PixelPath? {
    switch self {
    case .points: nil
    case .lines(let path), .area(let path): path
    }
  }

  private var ground: Geometry {
    switch self {
    case .points(let points): .multipoint(Multipoint(points: Path(points)))
    case .lines(let path): .polyline(Polyline(paths: path.runs.map { run in Path(Array(run)) }))
    case .area(let path):
      .polygon(Polygon(rings: path.runs.map { run in Path(Array(run + run.prefix(1))) }))
    }
  }
}

extension PixelPath {
  /// A run without so much of its start and its end; empty if nothing is left.
  static func part(
    of run: ArraySlice<Coordinate>, from start: Double, end: Double
  ) -> [Coordinate] {
    let length = length(run)
    let (low, high) = (max(start, 0), length - max(end, 0))
    guard low < high else { return [] }
    let ends = stations(run, at: [low, high]).map(\.point)
    guard ends.count == 2 else { return Array(run) }
    var passed = 0.0
    var middle: [Coordinate] = []
    for (before, vertex) in zip(run, run.dropFirst()) {
      passed += distance(before, vertex)
      if passed > low, passed < high { middle.append(vertex) }
    }
    return [ends[0]] + middle + [ends[1]]
  }
}
