internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry

/// A tile and its place on the picture.
struct TileFrame {
  let placed: PlacedVectorTile
  private let toMap: Projection
  private let projection: PixelProjection
  /// The whole tile on the picture, from its lower left corner on.
  let corners: PixelPath

  init(
    _ placed: PlacedVectorTile, _ toMap: Projection, _ projection: PixelProjection,
    corners: PixelPath
  ) {
    self.placed = placed
    self.toMap = toMap
    self.projection = projection
    self.corners = corners
  }

  /// The length of the lower side, in pixels of the picture.
  var side: Double { PixelPath.distance(corners.points[0], corners.points[1]) }

  /// A shape in the coordinates of the tile's scheme as pixels; `nil` if nothing of it is seen.
  func pixels(of shape: Geometry) -> PixelGeometry? {
    // A shape that has no place on the map is not visible either.
    guard let onMap = toMap.isIdentity ? shape : try? toMap.project(shape) else { return nil }
    return projection.project(onMap)
  }

  /// The parts of a line on the ground that the tile is drawn on, on the picture; or all of it.
  func runs(of line: [Coordinate], isWhole: Bool) -> [[Coordinate]] {
    let line = Geometry.polyline(Polyline(paths: [Path(line)]))
    guard case .lines(let path)? = pixels(of: isWhole ? line : placed.clipped(line)) else {
      return []
    }
    return path.runs.map(Array.init)
  }

  /// Whether a place on the picture is on a side of the tile.
  func isOnSide(_ place: Coordinate?) -> Bool {
    guard let place else { return false }
    let corners = corners.points
    return corners.indices.contains { index in
      let (start, end) = (corners[index], corners[(index + 1) % corners.count])
      let (x, y) = (end.x - start.x, end.y - start.y)
      let length = (x * x + y * y).squareRoot()
      return length > 0
        && abs((place.x - start.x) * y - (place.y - start.y) * x) / length < 0.02
    }
  }

  /// Whether a place on the picture is in the tile.
  func contains(_ place: Coordinate) -> Bool { corners.holds(place) }

  /// The factor by which the picture is larger than at the last whole zoom, and that by which the
  /// tile is drawn larger than meant there; `ratio` is the pixels along one of the style.
  func growth(ratio: Double) -> (growth: Double, overscaling: Double) {
    let corners = corners.points
    guard corners.count > 1 else { return (1, 1) }
    let side = PixelPath.distance(corners[0], corners[1])
    let zooms = log2(max(side, 1) / (512 * ratio))
    // Scales are rounded in the sixth digit: what is so near a whole zoom is that.
    let whole = max((zooms + 1e-4).rounded(.down), 0)
    return (exp2(zooms - whole), exp2(whole))
  }
}

extension PixelPath {
  /// Whether a place is inside of the corners of a tile, or on a side, however the map is turned.
  func holds(_ place: Coordinate) -> Bool {
    let sides = points.indices.map { index in
      let (start, end) = (points[index], points[(index + 1) % points.count])
      return (end.x - start.x) * (place.y - start.y) - (end.y - start.y) * (place.x - start.x)
    }
    return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
  }
}
