/// A line or an area on the grid of the world, cut to a tile and what is around it.
struct TileShape: Sendable {
  /// The feature, by its number in its layer.
  let row: Int32
  let isArea: Bool
  /// Lines, or rings: each outline is followed by its holes, and turns clockwise on the screen.
  var paths: [[GridPoint]]
  var low: GridPoint
  var high: GridPoint

  /// `nil` without a path.
  init?(row: Int32, isArea: Bool, paths: [[GridPoint]]) {
    guard let first = paths.first?.first else { return nil }
    self.row = row
    self.isArea = isArea
    self.paths = paths
    low = first
    high = first
    for path in paths {
      for point in path {
        low = pointwiseMin(low, point)
        high = pointwiseMax(high, point)
      }
    }
  }
}
