public import Foundation

/// Why a file cannot be converted.
public enum ConversionError: Error, Hashable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// The ending of the name stands for no format that can be written.
  case unknownTarget(file: String)
  /// The format cannot hold what the source holds.
  case wrongTarget(file: String, source: String)
  /// Something was asked for that means nothing here; `option` is what.
  case meaningless(option: String, source: String)
  /// The target is the source.
  case sameFile(file: String)
  /// Something stands in the target's place already.
  case targetExists(file: String)
  /// The folder that the target belongs in does not exist.
  case noSuchFolder(file: String)
  /// The source has no layer of that name.
  case noSuchLayer(name: String, file: String, available: [String])
  /// The target holds one layer, and the source has several.
  case severalLayers(file: String, available: [String])
  /// The source holds nothing that could be converted.
  case nothingToConvert(file: String)
  /// The target cannot be written.
  case unwritable(file: String, reason: String)
}

extension ConversionError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cancelled: "The conversion was cancelled."
    case .unknownTarget(let file): "Nothing says which format \(file) is to have."
    case .wrongTarget(let file, let source):
      "\(file) cannot be made, for the source is a \(source)."
    case .meaningless(let option, let source):
      "\(option) were asked for, and \(source) has none."
    case .sameFile(let file): "\(file) is both the source and the target."
    case .targetExists(let file): "\(file) exists already."
    case .noSuchFolder(let file): "There is no folder for \(file)."
    case .noSuchLayer(let name, let file, _): "\(file) has no layer \"\(name)\"."
    case .severalLayers(let file, _): "\(file) can hold one layer only, and there are several."
    case .nothingToConvert(let file): "\(file) holds nothing that could be converted."
    case .unwritable(let file, let reason): "\(file) cannot be written: \(reason)."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled, .nothingToConvert: nil
    case .unknownTarget:
      "Let its name end in .geodatabase, .gpkg, .geojson, .shp, .fgb or .csv for features, in .tpk, "
        + ".tpkx, .mbtiles or .pmtiles for tiles, or give a folder."
    case .wrongTarget:
      "Features go to .geodatabase, .gpkg, .geojson, .shp, .fgb and .csv, tiles to .tpk, .tpkx, "
        + ".mbtiles, .pmtiles and folders, packages to a folder."
    case .meaningless: "Leave that out."
    case .sameFile: "Give the target another name."
    case .targetExists: "Choose another name."
    case .noSuchFolder: "Make the folder first, or check its name."
    case .noSuchLayer(_, _, let available): "It has: \(Self.list(available))."
    case .severalLayers(_, let available):
      "Choose a layer. A folder as the target gets a file for each. "
        + "There are: \(Self.list(available))."
    case .unwritable: "Check that you may write there, and that there is free space."
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }
}
