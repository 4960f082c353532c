public import Foundation
public import PortolanTileFiles

/// A format that can be written.
public enum ConversionFormat: Hashable, Sendable {
  case geodatabase
  case geoPackage
  case geoJSON
  /// A shapefile: `.shp` and the files beside it.
  case shapefile
  /// Comma-separated values.
  case csv
  case flatGeobuf
  case tiles(TileFileFormat)
  /// A folder of files.
  case folder

  /// The format that a target's name stands for: by its ending; a folder if it is one already,
  /// ends in a slash or has no ending.
  ///
  /// `nil` if the ending stands for no format that can be written.
  public init?(of target: URL) {
    let path = target.path(percentEncoded: false)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists, isFolder.boolValue {
      self = .folder
      return
    }
    switch target.pathExtension.lowercased() {
    case "geodatabase": self = .geodatabase
    case "gpkg": self = .geoPackage
    case "geojson", "json": self = .geoJSON
    case "shp": self = .shapefile
    case "csv": self = .csv
    case "fgb": self = .flatGeobuf
    case "": self = .folder
    case let ending:
      if let format = TileFileFormat(pathExtension: ending) {
        self = .tiles(format)
      } else {
        guard target.hasDirectoryPath else { return nil }
        self = .folder
      }
    }
  }

  /// Whether files of the format hold features.
  var holdsFeatures: Bool {
    switch self {
    case .geodatabase, .geoPackage, .geoJSON, .shapefile, .csv, .flatGeobuf: true
    case .tiles, .folder: false
    }
  }

  /// The spatial reference of coordinates unless others are requested: those of the layer, where
  /// files say which they are.
  var defaultCoordinates: Conversion.Coordinates {
    switch self {
    case .geoJSON, .csv, .folder: .wgs84
    case .geodatabase, .geoPackage, .shapefile, .flatGeobuf, .tiles: .native
    }
  }

  /// Whether files of the format hold the files that are attached to rows.
  var holdsAttachments: Bool { self == .geodatabase || self == .geoPackage }
}
