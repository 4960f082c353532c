package import PortolanGeometry

/// A shape in pixels of the picture, without what lies far outside.
package enum PixelGeometry: Sendable {
  case points([Coordinate])
  case lines(PixelPath)
  case area(PixelPath)

  /// Whether a part of the shape is not seen.
  package var isCut: Bool {
    switch self {
    case .points: false
    case .lines(let path), .area(let path): path.window != nil
    }
  }

  /// The visible part of the shape.
  package var cut: PixelGeometry? {
    switch self {
    case .points: return self
    case .lines(let path):
      let seen = path.cut
      return seen.isEmpty ? nil : .lines(seen)
    case .area(let path):
      let seen = path.cut
      return seen.isEmpty ? nil : .area(seen)
    }
  }
}

/// Projects shapes in map coordinates onto the picture.
///
/// Vertices of lines that are nearer to each other than a tenth of a pixel are drawn as one; those
/// of areas only where no pixel can tell. Shapes stay whole, so that what depends on all of a shape
/// (dashes, markers along it, its middle) is the same in pictures side by side; paths that reach
/// farther than a margin around the picture know what of them is seen.
package struct PixelProjection: Sendable {
  let transform: PixelTransform
  /// The picture with its margin.
  let clip: Envelope

  package init(_ transform: PixelTransform, width: Double, height: Double, margin: Double) {
    self.transform = transform
    clip = Envelope(xMin: -margin, yMin: -margin, xMax: width + margin, yMax: height + margin)
  }

  package init(_ transform: PixelTransform, clip: Envelope) {
    self.transform = transform
    self.clip = clip
  }

  /// The shape as it is drawn; `nil` if nothing of it is in the picture.
  package func project(_ geometry: Geometry) -> PixelGeometry? {
    switch geometry {
    case .point(let point):
      let place = transform(point.coordinate)
      return isUsable(place) && clip.contains(place) ? .points([place]) : nil
    case .multipoint(let multipoint):
      let places = multipoint.points.coordinates.map { transform($0) }
        .filter { isUsable($0) && clip.contains($0) }
      return places.isEmpty ? nil : .points(places)
    case .polyline(let polyline):
      let path = lines(polyline.paths)
      return path.isEmpty ? nil : .lines(path)
    case .polygon(let polygon):
      let path = area(polygon.rings)
      return path.isEmpty ? nil : .area(path)
    case .envelope(let envelope):
      let path = area(envelope.polygon.rings)
      return path.isEmpty ? nil : .area(path)
    }
  }

  private func isUsable(_ place: Coordinate) -> Bool { place.x.isFinite && place.y.isFinite }

  /// The position of the map's origin.
  private var origin: Coordinate { transform(Coordinate(x: 0, y: 0)) }

  private func lines(_ paths: [Path]) -> PixelPath {
    var result = PixelPath(isClosed: false)
    result.origin = origin
    for path in paths {
      var (run, bounds) = thinned(path.coordinates, PixelPath.lineTolerance)
      guard bounds.intersects(clip) else { continue }
      // A line that shrinks to a point still leaves a dot, as a short line does.
      if run.count == 1 {
        run.append(Coordinate(x: run[0].x + 0.01, y: run[0].y))
        bounds.include(run[1])
      }
      if !clip.contains(bounds) { result.window = clip }
      result.append(run, bounds: bounds)
    }
    return result
  }

  private func area(_ rings: [Path]) -> PixelPath {
    var result = PixelPath(isClosed: true)
    result.origin = origin
    for ring in rings {
      let (run, bounds) = thinned(ring.coordinates, PixelPath.areaTolerance)
      guard run.count > 2, bounds.intersects(clip) else { continue }
      if !clip.contains(bounds) { result.window = clip }
      result.append(run, bounds: bounds)
    }
    return result
  }

  /// The vertices in pixels, those that fall together left out, and the box around them.
  private func thinned(
    _ coordinates: [Coordinate], _ tolerance: Double
  ) -> ([Coordinate], Envelope) {
    var bounds = Envelope.empty
    let run = unsafe [Coordinate](unsafeUninitializedCapacity: coordinates.count) { run, count in
      unsafe coordinates.withUnsafeBufferPointer { coordinates in
        var last = Coordinate(x: .infinity, y: .infinity)
        for index in coordinates.indices {
          let place = unsafe transform(coordinates[index])
          guard isUsable(place) else { continue }
          let isNear = abs(place.x - last.x) < tolerance && abs(place.y - last.y) < tolerance
          let isEnd = index == coordinates.count - 1 && count == 1 && place != last
          guard !isNear || isEnd else { continue }
          unsafe run.initializeElement(at: count, to: place)
          count += 1
          bounds.include(place)
          last = place
        }
      }
    }
    // Of shapes with far more vertices than the picture can show, no memory is kept for them.
    return (run.count < coordinates.count / 4 ? run.map(\.self) : run, bounds)
  }
}
