extension Geometry {
  /// The square of the distance from the shape to `coordinate`, in units of the coordinates.
  ///
  /// In the plane; 0 inside an area and on its edge, infinite for an empty shape. Allocates
  /// nothing, so that it can be asked for every feature near a point.
  public func squaredDistance(to coordinate: Coordinate) -> Double {
    switch self {
    case .point(let point): point.coordinate.squaredDistance(to: coordinate)
    case .multipoint(let multipoint): multipoint.squaredDistance(to: coordinate)
    case .polyline(let polyline): polyline.squaredDistance(to: coordinate)
    case .polygon(let polygon): polygon.squaredDistance(to: coordinate)
    case .envelope(let envelope): envelope.squaredDistance(to: coordinate)
    }
  }

  /// Whether the shape and the box share at least a point.
  public func intersects(_ envelope: Envelope) -> Bool {
    switch self {
    case .point(let point): envelope.contains(point.coordinate)
    case .multipoint(let multipoint):
      multipoint.points.coordinates.contains(where: envelope.contains)
    case .polyline(let polyline): polyline.intersects(envelope)
    case .polygon(let polygon): polygon.intersects(envelope)
    case .envelope(let other): other.intersects(envelope)
    }
  }
}

extension Coordinate {
  /// The square of the distance to `other`; infinite where an ordinate is not-a-number.
  public func squaredDistance(to other: Coordinate) -> Double {
    let (width, height) = (other.x - x, other.y - y)
    let square = width * width + height * height
    return square.isNaN ? .infinity : square
  }

  /// The square of the distance to the straight line from `start` to `end`.
  package func squaredDistance(toLineFrom start: Coordinate, to end: Coordinate) -> Double {
    let (width, height) = (end.x - start.x, end.y - start.y)
    let square = width * width + height * height
    guard square > 0 else { return squaredDistance(to: start) }
    let along = ((x - start.x) * width + (y - start.y) * height) / square
    let share = min(1, max(0, along))
    return squaredDistance(
      to: Coordinate(x: start.x + share * width, y: start.y + share * height))
  }
}

extension Envelope {
  /// The square of the distance from the box to `coordinate`; 0 inside, infinite if it is empty.
  public func squaredDistance(to coordinate: Coordinate) -> Double {
    guard !isEmpty else { return .infinity }
    let nearest = Coordinate(
      x: min(xMax, max(xMin, coordinate.x)), y: min(yMax, max(yMin, coordinate.y)))
    return nearest.squaredDistance(to: coordinate)
  }

  /// Whether the box and the straight line from `start` to `end` share at least a point.
  func intersectsLine(from start: Coordinate, to end: Coordinate) -> Bool {
    guard max(start.x, end.x) >= xMin, min(start.x, end.x) <= xMax,
      max(start.y, end.y) >= yMin, min(start.y, end.y) <= yMax
    else { return false }
    // Their boxes meet, so they are apart only if all corners lie on one side of the line.
    let (width, height) = (end.x - start.x, end.y - start.y)
    let low = (xMin - start.x) * height
    let high = (xMax - start.x) * height
    let near = (yMin - start.y) * width
    let far = (yMax - start.y) * width
    return max(low, high) >= min(near, far) && min(low, high) <= max(near, far)
  }
}

extension Multipoint {
  /// The square of the distance to the nearest of the points; infinite if there are none.
  public func squaredDistance(to coordinate: Coordinate) -> Double {
    var nearest = Double.infinity
    for point in points.coordinates {
      nearest = min(nearest, point.squaredDistance(to: coordinate))
    }
    return nearest
  }
}

extension Polyline {
  /// The square of the distance to the nearest of the lines; infinite if there are none.
  public func squaredDistance(to coordinate: Coordinate) -> Double {
    var nearest = Double.infinity
    for path in paths { nearest = min(nearest, path.squaredDistance(to: coordinate)) }
    return nearest
  }

  /// Whether a line and the box share at least a point.
  public func intersects(_ envelope: Envelope) -> Bool {
    paths.contains { $0.intersects(envelope) }
  }
}

extension Path {
  /// The square of the distance to the nearest stretch between two vertices.
  func squaredDistance(to coordinate: Coordinate) -> Double {
    guard var start = coordinates.first else { return .infinity }
    var nearest = start.squaredDistance(to: coordinate)
    for end in coordinates.dropFirst() {
      nearest = min(nearest, coordinate.squaredDistance(toLineFrom: start, to: end))
      start = end
    }
    return nearest
  }

  /// Whether a stretch between two vertices, or a lone vertex, meets the box.
  func intersects(_ envelope: Envelope) -> Bool {
    guard var start = coordinates.first else { return false }
    if envelope.contains(start) { return true }
    for end in coordinates.dropFirst() {
      if envelope.intersectsLine(from: start, to: end) { return true }
      start = end
    }
    return false
  }
}
