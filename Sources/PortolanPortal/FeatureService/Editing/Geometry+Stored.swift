internal import PortolanGeometry

extension Geometry {
  /// Whether a service that was sent this shape has it as `found`.
  ///
  /// Services snap coordinates to a resolution of their own, reverse rings, start them at another vertex, and
  /// drop vertices on straight lines: then it is the same shape all the same.
  func isStored(as found: Geometry) -> Bool {
    guard !isEmpty, !found.isEmpty else { return isEmpty == found.isEmpty }
    let tolerance = tolerance
    if let isSame = agreesVertexByVertex(with: found, within: tolerance) { return isSame }
    let (own, other) = (Outline(of: self), Outline(of: found))
    return own.isCovered(by: other, within: tolerance)
      && other.isCovered(by: own, within: tolerance)
  }

  /// About 20 cm, be the coordinates degrees or meters of Web Mercator.
  private var tolerance: Double {
    guard let extent else { return 2e-6 }
    let largest = [extent.xMin, extent.yMin, extent.xMax, extent.yMax].map(abs).max() ?? 0
    return max(2e-6, 2e-8 * largest)
  }

  /// Whether the heights and measures agree, too, where the vertices do one by one; `nil` where the vertices
  /// do not.
  private func agreesVertexByVertex(with found: Geometry, within tolerance: Double) -> Bool? {
    let (own, other) = (paths, found.paths)
    guard !own.isEmpty, own.map(\.count) == other.map(\.count) else { return nil }
    for (path, stored) in zip(own, other) {
      for (sent, there) in zip(path.coordinates, stored.coordinates)
      where sent.squaredDistance(to: there) > tolerance * tolerance { return nil }
    }
    return zip(own, other).allSatisfy { path, stored in
      (0..<path.count).allSatisfy { index in
        Self.agree(path.height(at: index), stored.height(at: index))
          && Self.agree(path.measure(at: index), stored.measure(at: index))
      }
    }
  }

  /// Whether two heights or measures agree; one that is missing says nothing.
  private static func agree(_ sent: Double, _ found: Double) -> Bool {
    sent.isNaN || found.isNaN || abs(sent - found) <= max(1e-3, 1e-8 * abs(sent))
  }
}

/// The lines that a shape consists of; a lone point is one without a length.
private struct Outline {
  private struct Segment {
    let start: Coordinate
    let end: Coordinate

    var middle: Coordinate { Coordinate(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2) }
  }

  private var segments: [Segment] = []

  init(of geometry: Geometry) {
    switch geometry {
    case .point, .multipoint:
      for path in geometry.paths {
        segments += path.coordinates.map { Segment(start: $0, end: $0) }
      }
    case .polyline(let polyline): for path in polyline.paths { add(path) }
    case .polygon(let polygon): add(rings: polygon.rings)
    case .envelope(let envelope): add(rings: envelope.polygon.rings)
    }
  }

  private mutating func add(rings: [Path]) {
    for ring in rings {
      add(ring)
      // Not every document closes its rings.
      guard let first = ring.coordinates.first, let last = ring.coordinates.last, first != last
      else { continue }
      segments.append(Segment(start: last, end: first))
    }
  }

  private mutating func add(_ path: Path) {
    for (start, end) in zip(path.coordinates, path.coordinates.dropFirst()) {
      segments.append(Segment(start: start, end: end))
    }
  }

  /// Whether the ends and the middle of each line are on a line of another outline.
  func isCovered(by other: Outline, within tolerance: Double) -> Bool {
    var last = 0
    for segment in segments {
      for coordinate in [segment.start, segment.middle, segment.end] {
        guard let found = other.segment(near: coordinate, within: tolerance, from: last) else {
          return false
        }
        last = found
      }
    }
    return true
  }

  /// The line that a position is on, looked for from the one where the position before was found: outlines of
  /// one shape run beside each other, in the same or the opposite direction.
  private func segment(
    near coordinate: Coordinate, within tolerance: Double, from last: Int
  ) -> Int? {
    let count = segments.count
    guard count > 0 else { return nil }
    for distance in 0...(count / 2) {
      for index in [(last + distance) % count, (last - distance + count) % count] {
        let segment = segments[index]
        let square = coordinate.squaredDistance(toLineFrom: segment.start, to: segment.end)
        if square <= tolerance * tolerance { return index }
      }
    }
    return nil
  }
}
