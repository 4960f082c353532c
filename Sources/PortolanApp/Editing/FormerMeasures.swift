internal import Foundation
internal import PortolanGeometry

/// The measures of a shape by the places of its vertices, for a shape that takes its place.
///
/// A shape drawn on a map has no measures: a vertex that stays where it is keeps its own.
struct FormerMeasures {
  /// The distance up to which positions count as the same, in metres: those of a map went to
  /// degrees and back.
  private static let tolerance = 0.01

  private struct Cell: Hashable {
    let column: Double
    let row: Double
  }

  private struct Vertex {
    let place: Coordinate
    let measure: Double
  }

  private var vertices: [Vertex] = []
  /// The places in `vertices` of those in each cell of a grid.
  private var cells: [Cell: [Int]] = [:]
  /// The tolerance in the units of the coordinates.
  private let reach: Double

  /// Notes the measures of a shape in its reference; `nil` if it has none.
  init?(of shape: Geometry, in reference: SpatialReference?) {
    guard shape.paths.contains(where: { $0.m != nil }) else { return nil }
    // Of a reference that nobody knows nothing is projected, so that places are the same to the last bit.
    let properties = reference.flatMap { try? $0.properties() }
    reach = Self.tolerance / (properties?.metersPerUnit ?? 1)
    for path in shape.paths {
      for (index, place) in path.coordinates.enumerated() {
        cells[cell(of: place), default: []].append(vertices.count)
        vertices.append(Vertex(place: place, measure: path.measure(at: index)))
      }
    }
  }

  /// A shape with the measures of the vertices that the former one has as well; the others have none.
  func kept(in shape: Geometry) -> Geometry {
    var next = 0
    var isAnyKept = false
    func measured(_ path: Path) -> Path {
      let measures = path.coordinates.map { place in
        guard let index = index(at: place, from: next) else { return Double.nan }
        next = index + 1
        isAnyKept = true
        return vertices[index].measure
      }
      return Path(path.coordinates, z: path.z, m: measures)
    }
    let whole: Geometry =
      switch shape {
      case .multipoint(let points): .multipoint(Multipoint(points: measured(points.points)))
      case .polyline(let line): .polyline(Polyline(paths: line.paths.map(measured)))
      case .polygon(let area): .polygon(Polygon(rings: area.rings.map(measured)))
      case .point, .envelope: shape
      }
    return isAnyKept ? whole : shape
  }

  /// The vertex at a place: where a shape comes back to it, the next one from `first` on.
  private func index(at place: Coordinate, from first: Int) -> Int? {
    let corners = [(-reach, -reach), (-reach, reach), (reach, -reach), (reach, reach)].map {
      cell(of: Coordinate(x: place.x + $0.0, y: place.y + $0.1))
    }
    let near = Set(corners).flatMap { cells[$0] ?? [] }.filter { index in
      let other = vertices[index].place
      return abs(other.x - place.x) <= reach && abs(other.y - place.y) <= reach
    }
    return near.filter { $0 >= first }.min() ?? near.min()
  }

  private func cell(of place: Coordinate) -> Cell {
    Cell(
      column: (place.x / (2 * reach)).rounded(.down), row: (place.y / (2 * reach)).rounded(.down))
  }
}
