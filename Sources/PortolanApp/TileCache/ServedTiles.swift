internal import PortolanTileCache
public import PortolanTiles

/// Tiles under a name, to be served to other programs.
public struct ServedTiles: Sendable {
  /// The name in addresses.
  public var name: String
  /// The tiles.
  public var source: any TileSource
  /// The cache of tiles enlarged beyond the last level; `nil` if they are not kept.
  var overZoom: OverZoomCache?

  /// Creates a set.
  public init(name: String, source: any TileSource) {
    self.name = name
    self.source = source
  }
}
