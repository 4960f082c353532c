internal import Foundation
package import PortolanGeometry

extension PixelPath {
  /// The areas of the path, each a ring with the holes in it: rings that wind as the first does begin
  /// an area.
  package var areas: [PixelPath] {
    let windings = runs.map { Self.winding($0) }
    guard let first = windings.first(where: { $0 != 0 }) else { return [] }
    var areas: [[[Coordinate]]] = []
    for (run, winding) in zip(runs, windings) where winding != 0 {
      if (winding > 0) == (first > 0) || areas.isEmpty {
        areas.append([Array(run)])
      } else {
        areas[areas.count - 1].append(Array(run))
      }
    }
    return areas.map { PixelPath($0, isClosed: true) }
  }

  /// Twice the area of a ring: more than zero where it winds to the right on the picture.
  static func winding(_ ring: ArraySlice<Coordinate>) -> Double {
    guard var previous = ring.last else { return 0 }
    var sum = 0.0
    for vertex in ring {
      sum += previous.x * vertex.y - vertex.x * previous.y
      previous = vertex
    }
    return sum
  }

  /// The place inside that is farthest from all sides, after Mapbox's polylabel, as near as
  /// `precision`.
  package func pole(precision: Double) -> Coordinate? {
    let size = min(bounds.width, bounds.height)
    guard isClosed, !isEmpty, size.isFinite else { return nil }
    guard size > 0 else { return Coordinate(x: bounds.xMin, y: bounds.yMin) }
    let test = PoleSearch(self)
    var best = test.cell(centroid ?? bounds.center, half: 0)
    let middle = test.cell(bounds.center, half: 0)
    if middle.distance > best.distance { best = middle }
    var queue: [PoleSearch.Cell] = []
    // An area may be a million times as long as it is wide.
    squares: for x in stride(from: bounds.xMin, to: bounds.xMax, by: size) {
      for y in stride(from: bounds.yMin, to: bounds.yMax, by: size) {
        guard queue.count < 1024 else { break squares }
        queue.append(test.cell(Coordinate(x: x + size / 2, y: y + size / 2), half: size / 2))
      }
    }
    queue.sort { $0.reach < $1.reach }
    for _ in 0..<test.maximumCells {
      guard let cell = queue.popLast() else { break }
      if cell.distance > best.distance || best.distance == 0 { best = cell }
      guard cell.reach - best.distance > precision else {
        // No square is cut any more, but the middle of one may be better still, as MapLibre finds.
        for cell in queue.reversed() where cell.distance > best.distance { best = cell }
        break
      }
      let half = cell.half / 2
      for (x, y) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
        let part = test.cell(
          Coordinate(x: cell.center.x + x, y: cell.center.y + y), half: half)
        let place = queue.firstIndex { $0.reach > part.reach } ?? queue.count
        queue.insert(part, at: place)
      }
    }
    return best.center
  }

  /// The center of the first ring.
  private var centroid: Coordinate? {
    guard let ring = runs.first, var previous = ring.last else { return nil }
    var (area, x, y) = (0.0, 0.0, 0.0)
    for vertex in ring {
      let part = previous.x * vertex.y - vertex.x * previous.y
      x += (previous.x + vertex.x) * part
      y += (previous.y + vertex.y) * part
      area += 3 * part
      previous = vertex
    }
    return area == 0 ? ring.first : Coordinate(x: x / area, y: y / area)
  }
}

/// Measures how far places are from the sides of an area.
private struct PoleSearch {
  /// Distances from sides that are measured at most, four for each cell.
  private static let maximumDistances = 16_000_000

  /// The maximum number of squares examined, fewer for areas with many sides.
  var maximumCells: Int { min(2000, Self.maximumDistances / 4 / max(path.points.count, 1)) }

  /// A square in which the pole may be.
  struct Cell {
    var center: Coordinate
    var half: Double
    /// The distance from the center to the nearest side; less than zero outside.
    var distance: Double
    /// The most that any place in the square has.
    var reach: Double
  }

  private let path: PixelPath
  private let inside: InsideTest

  init(_ path: PixelPath) {
    self.path = path
    inside = InsideTest(path)
  }

  func cell(_ center: Coordinate, half: Double) -> Cell {
    var nearest = Double.infinity
    for run in path.runs {
      guard var previous = run.last else { continue }
      for vertex in run {
        nearest = min(nearest, Self.distance(center, previous, vertex))
        previous = vertex
      }
    }
    let distance = inside.contains(center) ? nearest : -nearest
    return Cell(
      center: center, half: half, distance: distance,
      reach: distance + half * 2.0.squareRoot())
  }

  private static func distance(
    _ place: Coordinate, _ start: Coordinate, _ end: Coordinate
  ) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    let square = x * x + y * y
    let along = (place.x - start.x) * x + (place.y - start.y) * y
    let share = square > 0 ? min(max(along / square, 0), 1) : 0
    return PixelPath.distance(
      place, Coordinate(x: start.x + x * share, y: start.y + y * share))
  }
}
