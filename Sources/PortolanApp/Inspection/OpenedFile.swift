public import PortolanFeatures
public import PortolanMap
public import PortolanPackages
public import PortolanTiles

/// An open file, with what can be requested of it.
public enum OpenedFile: Sendable {
  /// Tables of features.
  case features(any FeatureStore, FileFacts)
  /// Maps with their data.
  case package(MobileMapPackage, FileFacts)
  /// A map document without its data.
  case map(WebMap, FileFacts)
  /// Tiles, of pictures or of vectors as the kind says.
  case tiles(any TileSource, FileFacts)
  /// Tables of features and tables of tiles, of either of which there may be none.
  case geoPackage(GeoPackageContents, FileFacts)
  /// A format that is recognised and cannot be read.
  case closed(FileFacts)

  /// The facts about the file as a whole.
  public var facts: FileFacts {
    switch self {
    case .features(_, let facts), .package(_, let facts), .map(_, let facts),
      .tiles(_, let facts), .geoPackage(_, let facts), .closed(let facts):
      facts
    }
  }
}
