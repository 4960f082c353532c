internal import Foundation
package import PortolanGeometry

extension PixelPath {
  /// A place on a line, with the direction of the line there in degrees, clockwise from the right.
  package struct Station: Hashable {
    package var point: Coordinate
    package var angle: Double

    package init(point: Coordinate, angle: Double) {
      self.point = point
      self.angle = angle
    }
  }

  /// The length of a run.
  package static func length(_ run: ArraySlice<Coordinate>) -> Double {
    zip(run, run.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
  }

  /// Places along a run at distances from its start, which must rise.
  package static func stations(_ run: ArraySlice<Coordinate>, at distances: [Double]) -> [Station] {
    var stations: [Station] = []
    var passed = 0.0
    var next = distances.startIndex
    for (start, end) in zip(run, run.dropFirst()) {
      let length = distance(start, end)
      guard length > 0 else { continue }
      let angle = atan2(end.y - start.y, end.x - start.x) * 180 / .pi
      while next < distances.endIndex, distances[next] <= passed + length {
        let share = min(max((distances[next] - passed) / length, 0), 1)
        stations.append(
          Station(
            point: Coordinate(
              x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share),
            angle: angle))
        next += 1
      }
      passed += length
    }
    return stations
  }

  /// A place inside an area where a marker or a label can be placed: on the longest stretch inside of
  /// several level lines, the one nearest to the middle first.
  package var interiorPoint: Coordinate? {
    guard isClosed, !isEmpty else { return nil }
    var best: (point: Coordinate, width: Double)?
    for share in [0.5, 0.4, 0.6, 0.3, 0.7] {
      let y = bounds.yMin + bounds.height * share
      guard let (middle, width) = longestStretch(at: y) else { continue }
      // Later lines must be clearly better.
      if width > (best?.width ?? 0) * 1.3 { best = (Coordinate(x: middle, y: y), width) }
    }
    return best?.point ?? bounds.center
  }

  /// The middle of the longest stretch inside of a level line; `nil` if none of it is inside.
  package func middleOfLongestStretch(at y: Double) -> Coordinate? {
    longestStretch(at: y).map { Coordinate(x: $0.middle, y: y) }
  }

  private func longestStretch(at y: Double) -> (middle: Double, width: Double)? {
    var crossings: [Double] = []
    for run in runs {
      guard var previous = run.last else { continue }
      for vertex in run {
        if (previous.y > y) != (vertex.y > y) {
          let share = (y - previous.y) / (vertex.y - previous.y)
          crossings.append(previous.x + (vertex.x - previous.x) * share)
        }
        previous = vertex
      }
    }
    crossings.sort()
    var best: (middle: Double, width: Double)?
    for index in stride(from: 0, to: crossings.count - 1, by: 2) {
      let (start, end) = (crossings[index], crossings[index + 1])
      if end - start > (best?.width ?? 0) { best = ((start + end) / 2, end - start) }
    }
    return best
  }

  @inlinable package static func distance(_ start: Coordinate, _ end: Coordinate) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    return (x * x + y * y).squareRoot()
  }
}

extension PixelPath.Station {
  /// A place beside it: down as one reads along the direction.
  package func moved(down distance: Double) -> PixelPath.Station {
    let offset = PixelRotation(angle)(Coordinate(x: 0, y: distance))
    return PixelPath.Station(
      point: Coordinate(x: point.x + offset.x, y: point.y + offset.y), angle: angle)
  }

  /// The angle of a direction in degrees, clockwise from the right.
  package static func angle(of direction: Coordinate) -> Double {
    atan2(direction.y, direction.x) * 180 / .pi
  }
}
