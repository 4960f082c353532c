/// The tiles that were loaded ahead of being requested.
public struct PredictedTiles: Hashable, Sendable {
  /// How many tiles came from the server.
  public var tileCount = 0
  /// Their bytes.
  public var byteCount = 0
}
