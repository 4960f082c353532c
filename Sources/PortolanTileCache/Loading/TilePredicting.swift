public import PortolanTiles

/// A source whose tiles can be loaded ahead of being requested.
public protocol TilePredicting: TileSource {
  /// Loads what lies around tiles, within a budget of bytes.
  func loadNeighbourhood(of viewed: [TileID], budget: Int) async -> PredictedTiles

  /// Asks again for tiles that are too old, within a budget of bytes.
  func refreshStaleTiles(budget: Int) async -> PredictedTiles
}
