public import Foundation
public import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeoPackage
internal import PortolanGeodatabase
public import PortolanGeometry
public import PortolanPackages
internal import PortolanTileFiles
public import PortolanTiles

/// Makes a file of one format from a file of another.
///
/// ```swift
/// let conversion = try Conversion(of: .features(geodatabase), at: input, to: output)
/// let result = try await conversion.run { print($0.completed) }
/// ```
///
/// The target appears under its name when it is complete and on the disk; a conversion that fails
/// or is cancelled leaves nothing behind, and one that is killed only hidden files, which the next
/// conversion into the same folder removes. Memory does not grow with the rows, but for what
/// spatial indexes need.
public struct Conversion: Sendable {
  /// What is converted.
  public enum Source: Sendable {
    /// Tables of features.
    case features(any FeatureStore)
    /// Sets of tiles, of which one is converted: the only one, or the one that is named.
    case tiles([any TileSource])
    /// Maps with all their data.
    case package(MobileMapPackage)
  }

  /// What the coordinates of features mean.
  public enum Coordinates: Hashable, Sendable {
    /// The layer's own spatial reference, named in the file where its format can.
    case native
    /// A spatial reference, which a registry lists by its id or well-known text defines.
    case reference(SpatialReference)

    /// Longitude and latitude on WGS 84, as RFC 7946 demands.
    public static let wgs84 = Coordinates.reference(.wgs84)
  }

  /// What is wanted of a conversion.
  public struct Parameters: Hashable, Sendable {
    /// The only table that is wanted, by name or alias without case; all if `nil`.
    public var layer: String?
    /// The spatial reference of coordinates; if `nil`, degrees in GeoJSON and comma-separated
    /// values, and the layer's own reference in formats that say which it is.
    public var coordinates: Coordinates?
    /// The spatial reference of the source, whatever it says of them; what it says if `nil`.
    public var sourceReference: SpatialReference?
    /// The condition that rows must meet, in SQL; all rows if `nil`.
    public var whereClause: String?
    /// The extent, in degrees on WGS 84, that shapes or tiles must reach into; all if `nil`.
    public var extent: Envelope?
    /// The levels of tiles that are wanted; all if `nil`.
    public var levels: ClosedRange<Int>?
    /// Whether an existing file there may be replaced.
    public var replacesTarget: Bool

    /// Creates parameters.
    public init(
      layer: String? = nil, coordinates: Coordinates? = nil, replacesTarget: Bool = false
    ) {
      self.layer = layer
      self.coordinates = coordinates
      self.replacesTarget = replacesTarget
    }
  }

  private let source: Source
  private let input: URL
  private let target: ConversionTarget
  private let parameters: Parameters
  private let environment: ConversionEnvironment

  /// Prepares a conversion, and checks the place of the target.
  ///
  /// - Parameters:
  ///   - source: What is converted, opened.
  ///   - input: The file that it came from, which must not be the target.
  ///   - output: The file or folder to make; its extension determines the format.
  ///   - parameters: What is wanted.
  ///   - environment: The clock and the source of ids.
  /// - Throws: ``ConversionError`` if the target cannot be made.
  public init(
    of source: Source, at input: URL, to output: URL, _ parameters: Parameters = Parameters(),
    environment: ConversionEnvironment = ConversionEnvironment()
  ) throws(ConversionError) {
    self.source = source
    self.input = input
    target = try ConversionTarget(output, from: input, replaces: parameters.replacesTarget)
    self.parameters = parameters
    self.environment = environment
  }

  /// Checks the place of a target, before the source is opened.
  ///
  /// - Throws: ``ConversionError`` if the target cannot be made there.
  public static func check(
    _ output: URL, from input: URL, replaces: Bool
  ) throws(ConversionError) {
    _ = try ConversionTarget(output, from: input, replaces: replaces)
  }

  /// Does the work; cancelling the task stops it.
  ///
  /// - Parameter report: Called with the progress, at most some twenty times a second.
  /// - Returns: What was converted, what was left out and what could not be read.
  /// - Throws: ``ConversionError``, or the error of the module that reads or writes the format.
  @concurrent public func run(
    reporting report: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
  ) async throws -> ConversionResult {
    try checkParameters()
    StagedFile.removeAbandoned(in: target.url.deletingLastPathComponent())
    let throttle = ProgressThrottle(report)
    var result: ConversionResult
    do { result = try await convert(throttle) } catch { throw target.explaining(error) }
    result.size = ConversionTarget.size(of: target.url)
    return result
  }

  private func convert(_ throttle: ProgressThrottle) async throws -> ConversionResult {
    switch source {
    case .features(let store): try await convert(store, throttle)
    case .tiles(let tiles): try await convert(try chosen(among: tiles), throttle)
    case .package(let package): try await convert(package, throttle)
    }
  }

  /// Refuses what means nothing for the source: a request for some rows must not yield all tiles.
  private func checkParameters() throws(ConversionError) {
    switch source {
    case .features:
      if case .tiles = target.format {
        try refuse([.rows, .coordinates], of: .tiles)
      } else {
        try refuse([.levels], of: .features)
      }
    case .tiles: try refuse([.rows, .coordinates], of: .tiles)
    case .package:
      try refuse([.levels, .rows, .extent, .layer, .coordinates], of: .package)
    }
  }

  /// Refuses what was asked for though it means nothing for the contents of the source.
  private func refuse(
    _ choices: [ConversionError.Choice], of contents: ConversionError.Contents
  ) throws(ConversionError) {
    for choice in choices where parameters.makes(choice) {
      throw .meaningless(choice, source: input.lastPathComponent, holding: contents)
    }
  }

  private func convert(
    _ store: any FeatureStore, _ throttle: ProgressThrottle
  ) async throws -> ConversionResult {
    let tiles = store is GeoPackage ? try GeoPackageTiles.open(input).tables : []
    if case .tiles = target.format, !tiles.isEmpty {
      return try await convert(try chosen(among: tiles), throttle)
    }
    guard target.format.holdsFeatures || target.format == .folder else {
      throw ConversionError.wrongTarget(file: target.name, source: .features)
    }
    let source = try await FeatureSource(
      store, name: input.lastPathComponent, layer: parameters.layer,
      reference: parameters.sourceReference, whereClause: parameters.whereClause,
      extent: parameters.extent)
    if source.schemas.allSatisfy({ $0.geometryType == nil }) {
      try refuse([.coordinates], of: .rowsWithoutShapes)
    }
    if parameters.reference != nil, let table = Self.unplaced(source.schemas).first {
      throw ConversionError.unplacedCoordinates(
        table: table, definition: source.unknownReference)
    }
    let conversion = FeatureConversion(
      source: source, environment: environment, throttle: throttle)
    let coordinates = parameters.coordinates ?? target.format.defaultCoordinates
    var result =
      target.format == .folder
      ? try await GeoJSONFolder(conversion, target).write(coordinates)
      : try await conversion.write(
        to: target.url, as: target.format, coordinates: coordinates,
        replacing: target.replaces)
    result.notes += notes(on: source.schemas, in: coordinates)
    guard parameters.layer == nil else { return result }
    result.notes += tiles.map {
      "The tiles \"\($0.info.name)\" stay behind; they can be converted to .mbtiles, .pmtiles or .tpkx."
    }
    return result
  }

  /// What is to be said of coordinates whose reference is unknown, where files have degrees that do not say
  /// otherwise, and of heights.
  private func notes(
    on schemas: [FeatureTableSchema], in coordinates: Coordinates
  ) -> [String] {
    let unplaced = target.format.defaultCoordinates == .wgs84 ? Self.unplaced(schemas) : []
    return unplaced.map { table in
      "Nothing says what the coordinates of \"\(table)\" mean (a .prj, for example); they were written "
        + "as they are."
    } + schemas.compactMap { target.format.heightNote($0, coordinates) }
  }

  /// The names of the tables of which nothing says what their coordinates mean.
  private static func unplaced(_ schemas: [FeatureTableSchema]) -> [String] {
    schemas.filter { $0.geometryType != nil && $0.spatialReference == nil }.map(\.name)
  }

  /// The set of tiles that was asked for by name, or the only one.
  private func chosen(
    among tiles: [any TileSource]
  ) throws(ConversionError) -> any TileSource {
    let names = tiles.map(\.info.name)
    guard let layer = parameters.layer else {
      guard let only = tiles.first else {
        throw .nothingToConvert(file: input.lastPathComponent)
      }
      guard tiles.count == 1 else { throw .severalLayers(file: target.name, available: names) }
      return only
    }
    let found = tiles.first { $0.info.name.lowercased() == layer.lowercased() }
    guard let found else {
      throw .noSuchLayer(name: layer, file: input.lastPathComponent, available: names)
    }
    return found
  }

  private func convert(
    _ tiles: any TileSource, _ throttle: ProgressThrottle
  ) async throws -> ConversionResult {
    var tiles = tiles
    if parameters.levels != nil || parameters.extent != nil {
      let limited = try LimitedTileSource(
        tiles, levels: parameters.levels, extent: parameters.extent)
      try await limited.checkLevels(of: input.lastPathComponent)
      tiles = limited
    }
    switch target.format {
    case .tiles(let format):
      return try await TileTransfer(source: tiles, throttle: throttle).write(
        to: target.url, as: format, replacing: target.replaces)
    case .folder:
      var folder = TileFolder(tiles, throttle)
      return try await folder.write(to: target)
    case .geodatabase, .geoPackage, .geoJSON, .shapefile, .csv, .flatGeobuf:
      throw ConversionError.wrongTarget(
        file: target.name, source: tiles.info.isVector ? .vectorTiles : .tiles)
    }
  }

  private func convert(
    _ package: MobileMapPackage, _ throttle: ProgressThrottle
  ) async throws -> ConversionResult {
    guard target.format == .folder else {
      throw ConversionError.wrongTarget(file: target.name, source: .package)
    }
    var folder = PackageFolderWriter(package, throttle, environment)
    return try await folder.write(to: target)
  }
}

extension Conversion.Parameters {
  /// The spatial reference that coordinates are asked for in.
  fileprivate var reference: SpatialReference? {
    if case .reference(let reference) = coordinates { reference } else { nil }
  }

  /// Whether something is asked for beside all of the source.
  fileprivate func makes(_ choice: ConversionError.Choice) -> Bool {
    switch choice {
    case .levels: levels != nil
    case .rows: whereClause != nil
    case .extent: extent != nil
    case .layer: layer != nil
    case .coordinates: coordinates != nil || sourceReference != nil
    }
  }
}
