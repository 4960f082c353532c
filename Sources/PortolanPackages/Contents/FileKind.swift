/// The kinds of file that hold maps, features or tiles.
public enum FileKind: String, Hashable, Sendable, CaseIterable {
  case geodatabase
  /// The shapes of a shapefile, with the files beside them.
  case shapefile
  /// Comma-separated values.
  case csv
  case geoJSON = "geojson"
  /// Features in Esri's JSON, as services answer queries.
  case featureSet = "feature-set"
  case flatGeobuf = "flatgeobuf"
  /// A GeoPackage, with features, tiles or both.
  case geoPackage = "geopackage"
  case mobileMapPackage = "mobile-map-package"
  /// The same, unpacked.
  case mobileMapFolder = "mobile-map-folder"
  /// A map document of a package (`.mmap`).
  case map
  case tilePackage = "tile-package"
  /// A folder of tiles, as servers keep them: of Esri's, or a file for each tile, `Z/X/Y.png`.
  case tileCache = "tile-cache"
  case vectorTilePackage = "vector-tile-package"
  case mbtiles
  case pmtiles
  /// A locator, which is in a closed format.
  case locator

  /// The kind as people call it.
  public var title: String {
    switch self {
    case .geodatabase: "Mobile geodatabase"
    case .geoJSON: "GeoJSON"
    case .featureSet: "Feature set in Esri's JSON"
    case .flatGeobuf: "FlatGeobuf"
    case .shapefile: "Shapefile"
    case .csv: "Comma-separated values"
    case .geoPackage: "GeoPackage"
    case .mobileMapPackage: "Mobile map package"
    case .mobileMapFolder: "Mobile map package, unpacked"
    case .map: "Map document"
    case .tilePackage: "Tile package"
    case .tileCache: "Tile cache"
    case .vectorTilePackage: "Vector tile package"
    case .mbtiles: "MBTiles"
    case .pmtiles: "PMTiles"
    case .locator: "Locator, in a closed format that cannot be read"
    }
  }
}
