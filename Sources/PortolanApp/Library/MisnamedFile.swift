internal import Foundation
internal import PortolanPackages
internal import PortolanTileFiles

/// The contents of a file that has the name of a mobile map package and is none.
enum MisnamedFile {
  case kind(FileKind)
  case database
  case document
  case archive

  /// Looks at a file; `nil` if it is a package, or nothing that is known.
  ///
  /// A file that cannot be read now is left to the check of its contents.
  init?(at url: URL) {
    do {
      switch try FileKind.detect(at: url) {
      case .mobileMapPackage: return nil
      case .tilePackage, .vectorTilePackage:
        // Any archive without a map is taken for one of tiles until it is opened.
        guard let file = try? TilePackageFile.open(url) else {
          self = .archive
          return
        }
        if case .vector = file {
          self = .kind(.vectorTilePackage)
        } else {
          self = .kind(.tilePackage)
        }
      case let kind: self = .kind(kind)
      }
    } catch InspectionError.unknownKind {
      // It was read a moment ago; if that fails now, copying it says why.
      switch (try? FileKind.head(of: url)).map(FileSignature.init) {
      case .otherDatabase?: self = .database
      case .object?: self = .document
      default: return nil
      }
    } catch InspectionError.partOfShapefile(file: _, isArchive: true) {
      self = .archive
    } catch {
      return nil
    }
  }

  /// Whether a folder has tiles in it, and no map.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - paths: The files in it, as paths from there.
  /// - Returns: Whether its tiles can be read by themselves.
  static func isTileCache(_ folder: URL, holding paths: [String]) -> Bool {
    FileKind(ofArchiveWith: paths) == .tilePackage
      && (TilePackageFile.isCache(folder) || TileFolderSource.isOne(folder))
  }

  /// The kind of the file, with its article.
  var title: String {
    switch self {
    case .kind(let kind): kind.titleWithArticle
    case .database: "a database"
    case .document: "a JSON document"
    case .archive: "a ZIP archive without a map"
    }
  }

  /// Advice on the file.
  var suggestion: String {
    switch self {
    case .kind(.locator): "Nothing can be read from it."
    case .kind(.geodatabase), .kind(.geoPackage), .kind(.map), .database, .document:
      "Open it where it is."
    case .kind(.shapefile):
      "Rename it so that its name ends in .shp, and keep it beside its other files."
    case .archive: "Unpack it to see what is in it."
    case .kind(let kind):
      (kind.holdsTiles ? NextAction.Kind.importTiles : .readFeatures).sentence
    }
  }

  /// The actions that a shell can offer for it; `name` is that of the file.
  func actions(for name: String) -> [NextAction] {
    switch self {
    case .kind(let kind) where kind.holdsTiles: [.init(.importTiles)]
    case .kind(.geoJSON), .kind(.featureSet), .kind(.flatGeobuf): [.init(.readFeatures)]
    case .kind(.locator), .kind(.shapefile), .kind(.csv), .archive: []
    case .kind, .database, .document: [.init(.openFile, name)]
    }
  }
}

extension FileKind {
  fileprivate var holdsTiles: Bool {
    [.tilePackage, .tileCache, .vectorTilePackage, .mbtiles, .pmtiles].contains(self)
  }

  fileprivate var titleWithArticle: String {
    switch self {
    case .mobileMapPackage, .mobileMapFolder: "a mobile map package"
    case .geodatabase: "a mobile geodatabase"
    case .geoJSON: "a GeoJSON file"
    case .featureSet: "a feature set in Esri's JSON"
    case .flatGeobuf: "a FlatGeobuf file"
    case .shapefile: "a shapefile"
    case .csv: "a text of comma-separated values"
    case .geoPackage: "a GeoPackage"
    case .map: "a map document"
    case .tilePackage: "a tile package"
    case .tileCache: "a tile cache"
    case .vectorTilePackage: "a vector tile package"
    case .mbtiles: "an MBTiles file"
    case .pmtiles: "a PMTiles archive"
    case .locator: "a locator in a closed format"
    }
  }
}
