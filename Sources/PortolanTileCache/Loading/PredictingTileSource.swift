public import PortolanJSON
public import PortolanTiles

/// A source that notices what is viewed, and has its neighbourhood loaded ahead.
public struct PredictingTileSource: TileSource {
  private let source: any TilePredicting
  /// What loads ahead.
  public let predictor: TilePredictor

  /// Has tiles of `source` loaded ahead by `predictor`.
  public init(_ source: any TilePredicting, _ predictor: TilePredictor) {
    self.source = source
    self.predictor = predictor
  }

  public var info: TileSourceInfo { source.info }

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    let tile = try await source.tile(at: id)
    await predictor.view(id)
    return tile
  }

  public func tileCounts() async throws(TileError) -> [Int: Int] { try await source.tileCounts() }

  public var tileIDs: TileIDs { source.tileIDs }

  public func metadata() async throws(TileError) -> JSONValue? { try await source.metadata() }
}
