extension Polygon {
  /// Whether `coordinate` lies in the areas or on their edge.
  ///
  /// Points that an odd number of rings encloses are inside, so that the order of the rings does
  /// not matter. Allocates nothing.
  public func contains(_ coordinate: Coordinate) -> Bool {
    var isInside = false
    for ring in rings {
      switch ring.location(of: coordinate) {
      case .inside: isInside.toggle()
      case .boundary: return true
      case .outside: continue
      }
    }
    return isInside
  }

  /// The square of the distance from the areas to `coordinate`: 0 inside and on the edge.
  public func squaredDistance(to coordinate: Coordinate) -> Double {
    guard !contains(coordinate) else { return 0 }
    var nearest = Double.infinity
    for ring in rings { nearest = min(nearest, ring.squaredDistance(to: coordinate)) }
    return nearest
  }

  /// Whether the areas and the box share at least a point.
  public func intersects(_ envelope: Envelope) -> Bool {
    guard !envelope.isEmpty else { return false }
    if rings.contains(where: { $0.intersects(envelope) }) { return true }
    // No edge meets the box, so all of it is inside or all of it outside.
    return contains(Coordinate(x: envelope.xMin, y: envelope.yMin))
  }
}

extension Path {
  /// The location of `coordinate` relative to the path, taken as a ring.
  func location(of coordinate: Coordinate) -> RingLocation {
    guard var start = coordinates.first else { return .outside }
    var crossing = RayCrossing(position: coordinate)
    for end in coordinates.dropFirst() {
      crossing.add(from: start, to: end)
      start = end
    }
    return crossing.location
  }
}
