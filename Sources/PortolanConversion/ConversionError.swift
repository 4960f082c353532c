public import Foundation

/// Why a file cannot be converted.
public enum ConversionError: Error, Hashable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// The ending of the name stands for no format that can be written.
  case unknownTarget(file: String)
  /// The format cannot hold what the source holds.
  case wrongTarget(file: String, source: Origin)
  /// Something was asked for that means nothing for what the source holds.
  case meaningless(Choice, source: String, holding: Contents)
  /// A box in degrees was requested, but the spatial reference of a table is unknown, or its definition is not
  /// understood.
  case unplacedExtent(table: String, definition: UnknownReference? = nil)
  /// Coordinates were requested in a certain spatial reference, but that of a table is unknown, or its
  /// definition is not understood.
  case unplacedCoordinates(table: String, definition: UnknownReference? = nil)
  /// The target is the source.
  case sameFile(file: String)
  /// The target already exists.
  case targetExists(file: String)
  /// The folder that the target belongs in does not exist.
  case noSuchFolder(file: String)
  /// The source has no layer of that name.
  case noSuchLayer(name: String, file: String, available: [String])
  /// The source has tiles, but none on the levels that are wanted.
  case noSuchLevels(ClosedRange<Int>, file: String, available: [Int])
  /// The target holds one layer, and the source has several.
  case severalLayers(file: String, available: [String])
  /// The source holds nothing that could be converted.
  case nothingToConvert(file: String)
  /// The target cannot be written.
  case unwritable(file: String, reason: String)

  /// What a target cannot hold.
  public enum Origin: Hashable, Sendable {
    /// Tables of features.
    case features
    /// Tiles of pictures.
    case tiles
    /// Vector tiles, as of a vector tile package.
    case vectorTiles
    /// A mobile map package.
    case package
  }

  /// What may be asked for beside all of a source.
  public enum Choice: Hashable, Sendable {
    /// Some levels of tiles.
    case levels
    /// The rows that meet a condition.
    case rows
    /// What reaches into a box.
    case extent
    /// One layer.
    case layer
    /// The spatial reference of coordinates.
    case coordinates
  }

  /// What a source may hold.
  public enum Contents: Hashable, Sendable {
    case features
    case rowsWithoutShapes
    case tiles
    case package
  }
}

extension ConversionError.Origin {
  /// What it is, with its article.
  fileprivate var words: String {
    switch self {
    case .features: "a file of features"
    case .tiles: "a set of tiles"
    case .vectorTiles: "a set of vector tiles"
    case .package: "a mobile map package"
    }
  }

  /// What it can become, in a sentence.
  fileprivate var targets: String {
    switch self {
    case .features:
      "Features go to .geodatabase, .gpkg, .geojson, .shp, .fgb and .csv, or to a folder."
    case .tiles: "Tiles go to .tpk, .tpkx, .mbtiles and .pmtiles, or to a folder."
    case .vectorTiles: "Vector tiles go to .mbtiles and .pmtiles, or to a folder."
    case .package: "A package goes to a folder."
    }
  }
}

extension ConversionError.Choice {
  /// What can be chosen of what, as the beginning of a sentence.
  fileprivate var purpose: String {
    switch self {
    case .levels: "Levels can be chosen of tiles that stay tiles"
    case .rows: "Rows can be chosen by a condition where features are converted"
    case .extent: "A box can be put around tiles, and around features with shapes"
    case .layer: "A layer can be chosen of files of features or tiles"
    case .coordinates:
      "The spatial reference can be chosen where features with shapes are converted"
    }
  }
}

extension ConversionError.Contents {
  /// What it is, behind the name of a file.
  fileprivate var words: String {
    switch self {
    case .features: "is converted as features"
    case .rowsWithoutShapes: "has rows without shapes"
    case .tiles: "is converted as tiles"
    case .package: "is a package, which is converted as a whole"
    }
  }
}

extension ConversionError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cancelled: "The conversion was cancelled."
    case .unknownTarget(let file) where Self.isVectorTilePackage(file):
      "\(file) cannot be made: no file is converted to a vector tile package."
    case .unknownTarget(let file): "Nothing says which format \(file) is to have."
    case .wrongTarget(let file, let source):
      "\(file) cannot be made, for the source is \(source.words)."
    case .meaningless(let choice, let source, let contents):
      "\(choice.purpose); \(source) \(contents.words)."
    case .unplacedExtent(let table, let definition):
      Self.silence(on: table, definition)
        + ", so that a box in degrees cannot be put around them."
    case .unplacedCoordinates(let table, let definition):
      Self.silence(on: table, definition) + ", so that they cannot be projected."
    case .sameFile(let file): "\(file) is both the source and the target."
    case .targetExists(let file): "\(file) exists already."
    case .noSuchFolder(let file): "There is no folder for \(file)."
    case .noSuchLayer(let name, let file, _): "\(file) has no layer \"\(name)\"."
    case .noSuchLevels(let levels, let file, _):
      levels.count == 1
        ? "\(file) has no tiles on level \(levels.lowerBound)."
        : "\(file) has no tiles on the levels \(levels.lowerBound) to \(levels.upperBound)."
    case .severalLayers(let file, _): "\(file) can hold one layer only, and there are several."
    case .nothingToConvert(let file): "\(file) holds nothing that could be converted."
    case .unwritable(let file, let reason): "\(file) cannot be written: \(reason)."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled, .nothingToConvert: nil
    case .unknownTarget(let file) where Self.isVectorTilePackage(file):
      Origin.vectorTiles.targets
    case .unknownTarget:
      "Let its name end in .geodatabase, .gpkg, .geojson, .shp, .fgb or .csv for features, in .tpk, "
        + ".tpkx, .mbtiles or .pmtiles for tiles, or give a folder."
    case .wrongTarget(_, let source): source.targets
    case .meaningless: "Leave that out."
    case .unplacedExtent:
      "Say which spatial reference it has, put a .prj with it beside the file, or convert it without a box."
    case .unplacedCoordinates:
      "Say which spatial reference it has, put a .prj with it beside the file, or convert it as it is."
    case .sameFile: "Give the target another name."
    case .targetExists: "Choose another name."
    case .noSuchFolder: "Make the folder first, or check its name."
    case .noSuchLayer(_, _, let available): "It has: \(Self.list(available))."
    case .noSuchLevels(_, _, let available):
      "It has tiles on \(available.count == 1 ? "level" : "the levels") "
        + "\(available.map(String.init).joined(separator: ", "))."
    case .severalLayers(_, let available):
      "Choose a layer. A folder as the target gets a file for each. "
        + "There are: \(Self.list(available))."
    case .unwritable: "Check that you may write there, and that there is free space."
    }
  }

  /// That nothing says what coordinates mean, as the beginning of a sentence.
  private static func silence(on table: String, _ definition: UnknownReference?) -> String {
    let fact = "Nothing says what the coordinates of \"\(table)\" mean"
    return definition.map { "\(fact): \($0.fact)" } ?? fact
  }

  private static func isVectorTilePackage(_ file: String) -> Bool {
    file.lowercased().hasSuffix(".vtpk")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }
}
