public import PortolanFeatures
public import PortolanTiles

/// The contents of a GeoPackage.
public struct GeoPackageContents: Sendable {
  /// The tables of features and of attributes; `nil` if there are none.
  public var features: (any FeatureStore)?
  /// The tables of tiles.
  public var tiles: [any TileSource]
  /// The parts of the file that cannot be read, in sentences.
  public var problems: [String]

  /// Creates the contents.
  public init(
    features: (any FeatureStore)? = nil, tiles: [any TileSource] = [], problems: [String] = []
  ) {
    self.features = features
    self.tiles = tiles
    self.problems = problems
  }
}
