/// A point of a feature on the grid of the world.
struct TilePoint: Sendable {
  /// The feature, by its number in its layer.
  let row: Int32
  let place: GridPoint
}

/// The content of one layer in a tile.
struct TileLayerContent: Sendable {
  var points: [TilePoint] = []
  var shapes: [TileShape] = []

  var isEmpty: Bool { points.isEmpty && shapes.isEmpty }

  /// What of it lies in a box.
  func clipped(to box: GridBox) -> TileLayerContent {
    TileLayerContent(
      points: points.filter { box.contains($0.place) },
      shapes: shapes.compactMap { TileClipper.clip($0, to: box) })
  }
}
