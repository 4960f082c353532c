public import Foundation
public import PortolanPackages

/// The reason why a file cannot be inspected.
public enum InspectionError: Error, Hashable, Sendable {
  /// There is nothing at that path.
  case noSuchFile(file: String)
  /// There is no layer of that name.
  case noSuchLayer(name: String, file: String, available: [String])
  /// The file is of no kind that is known.
  case unknownKind(file: String)
  /// The file is part of a shapefile whose shapes are not beside it, or an archive with a shapefile, which is
  /// read only when it is unpacked.
  case partOfShapefile(file: String, isArchive: Bool)
  /// The folder is no package itself, but holds several.
  case severalPackages(file: String)
  /// The file may not be read.
  case unreadable(file: String, reason: String)
  /// The file is in a format that is closed.
  case closedFormat(file: String, kind: FileKind)
  /// The file holds no features.
  case noFeatures(file: String, kind: FileKind)
}

extension FileKind {
  /// The kind within a sentence.
  fileprivate var phrase: String {
    switch self {
    case .mbtiles: "an \(title) file"
    case .pmtiles, .geoJSON, .flatGeobuf, .geoPackage: "a \(title) file"
    default: "a \(title.lowercased())"
    }
  }
}

extension InspectionError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .noSuchFile(let file): "There is no file \(file)."
    case .noSuchLayer(let name, let file, _): "\(file) has no layer \"\(name)\"."
    case .unknownKind(let file): "\(file) does not contain a map."
    case .partOfShapefile(let file, true): "\(file) is a shapefile in a ZIP archive."
    case .partOfShapefile(let file, false):
      "\(file) is the table of a shapefile, which is read by its .shp."
    case .severalPackages(let file): "\(file) is no package, but a folder with several."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .closedFormat(let file, _): "\(file) is in a closed format and cannot be read."
    case .noFeatures(let file, let kind):
      "\(file) contains no features, because it is \(kind.phrase)."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .noSuchFile: "Check the path."
    case .noSuchLayer(_, _, let available):
      available.isEmpty ? "It has no layers with features." : "It has: \(list(available))."
    case .unknownKind:
      "Supported are .geodatabase, .gpkg, .geojson, .shp, .fgb, .csv, .mmpk and its unpacked folder, "
        + ".mmap, .tpk, .tpkx, tile caches, .vtpk, .mbtiles and .pmtiles."
    case .partOfShapefile(_, let isArchive):
      isArchive
        ? "Unpack it, and read the .shp in it." : "Name the .shp, and keep the table beside it."
    case .severalPackages: "Choose one of the packages in it."
    case .unreadable: "Check that you may read it."
    case .closedFormat: "Only Esri's software opens it."
    case .noFeatures: "Check what the file contains."
    }
  }

  private func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }
}
