internal import Foundation
internal import PortolanArchives
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles

/// Writes all that is in a package as open files: features as GeoPackages, tiles as MBTiles or
/// PMTiles, maps as web map documents, items as JSON, thumbnails as pictures.
struct PackageFolderWriter {
  private let package: MobileMapPackage
  private let throttle: ProgressThrottle
  private let environment: ConversionEnvironment
  private var names = FileNames()
  private var result = ConversionResult()
  /// The files of the package that were converted, by their paths.
  private var done: Set<String> = []

  init(
    _ package: MobileMapPackage, _ throttle: ProgressThrottle,
    _ environment: ConversionEnvironment
  ) {
    self.package = package
    self.throttle = throttle
    self.environment = environment
  }

  /// Writes the files; the folder appears when all are complete.
  mutating func write(to target: ConversionTarget) async throws -> ConversionResult {
    var folder = try StagedFolder(target.url)
    try add(JSONValue.object(package.info.json), "package", to: &folder)
    try add(package.info.thumbnail, "thumbnail", to: &folder)
    for map in package.maps {
      try add(.object(map.webMap.json), "\(map.name).webmap", to: &folder)
      if !map.item.json.isEmpty {
        try add(.object(map.item.json), "\(map.name).item", to: &folder)
      }
      try add(map.item.thumbnail, "\(map.name).thumbnail", to: &folder)
      for layer in Self.layers(of: map.webMap) { try await add(layer, of: map, to: &folder) }
    }
    for (name, error) in package.failures.sorted(by: { $0.key < $1.key }) {
      fail("\(name).mmap", error)
    }
    for part in package.unreadableParts {
      result.add(ConversionResult.Failure(part: part.path, reason: "its format is closed"))
    }
    try target.complete(folder)
    return result
  }

  /// The layers and tables of a map, those in groups too.
  private static func layers(of map: WebMap) -> [Layer] {
    func flattened(_ layer: Layer, _ depth: Int) -> [Layer] {
      // Deeper than any person can follow; documents of strangers may be nested for ever.
      depth > 64 ? [] : [layer] + layer.layers.flatMap { flattened($0, depth + 1) }
    }
    return (map.basemap.layers + map.operationalLayers + map.tables).flatMap { flattened($0, 0) }
  }

  // MARK: Data of layers

  private mutating func add(
    _ layer: Layer, of map: MobileMap, to folder: inout StagedFolder
  ) async throws {
    // Layers without a file of their own are in the map's document.
    guard let path = layer.path?.path, done.insert(path).inserted else { return }
    let stem = (path as NSString).lastPathComponent as NSString
    let name = stem.deletingPathExtension
    do {
      switch await map.contents.content(of: layer) {
      case .features(let tables):
        guard let store = tables.first?.store else { return }
        try await add(store, name, to: &folder)
      case .tiles(let source): try await add(source, name, isVector: false, to: &folder)
      case .vectorTiles(let source): try await add(source, name, isVector: true, to: &folder)
      case .styledTiles(let tiles):
        // A service on the web is no part of a package.
        guard let source = tiles.package else { return }
        try await add(source, name, isVector: true, to: &folder)
      case .group, .service, .pictures: return
      case .unavailable(let reason), .notSupported(let reason):
        result.add(
          ConversionResult.Failure(
            part: layer.title, item: path, reason: reason.withoutFullStop))
      }
    } catch {
      try Self.checkIsOfSource(error)
      fail(path, error)
    }
  }

  private mutating func add(
    _ store: any FeatureStore, _ name: String, to folder: inout StagedFolder
  ) async throws {
    let file = names.unused(name, ending: "gpkg")
    let source = try await FeatureSource(store, name: name, layer: nil)
    let conversion = FeatureConversion(
      source: source, environment: environment, throttle: throttle)
    let part = try await conversion.write(
      to: try folder.place(for: file), as: .geoPackage, coordinates: .native)
    result.add(part, file: file)
  }

  private mutating func add(
    _ source: any TileSource, _ name: String, isVector: Bool, to folder: inout StagedFolder
  ) async throws {
    let transfer = TileTransfer(source: source, throttle: throttle)
    let open: TileFileFormat = isVector ? .pmtiles : .mbtiles
    do {
      let file = names.unused(name, ending: open.rawValue)
      let part = try await transfer.write(to: try folder.place(for: file), as: open)
      result.add(part, file: file)
    } catch TileError.cannotHold where !isVector {
      // The scheme is not that of open files; a tile package takes any.
      let file = names.unused(name, ending: TileFileFormat.tpkx.rawValue)
      let part = try await transfer.write(to: try folder.place(for: file), as: .tpkx)
      result.add(part, file: file)
    }
  }

  // MARK: Documents

  private mutating func add(
    _ json: JSONValue, _ name: String, to folder: inout StagedFolder
  ) throws {
    let file = names.unused(name, ending: "json")
    try folder.add(file, contentsOf: MemoryByteSource(json.encoded(.indented), name: file))
    result.copiedFiles.append(file)
  }

  private mutating func add(
    _ picture: Data?, _ name: String, to folder: inout StagedFolder
  ) throws {
    guard let picture, !picture.isEmpty else { return }
    let isPNG = picture.starts(with: [0x89, 0x50, 0x4E, 0x47])
    let file = names.unused(name, ending: isPNG ? "png" : "jpg")
    try folder.add(file, contentsOf: MemoryByteSource(picture, name: file))
    result.copiedFiles.append(file)
  }

  // MARK: Failures

  private mutating func fail(_ part: String, _ error: any Error) {
    result.add(
      ConversionResult.Failure(part: part, reason: error.plainReason))
  }

  /// Passes on what would stop every other file too: a cancellation, a full disk.
  private static func checkIsOfSource(_ error: any Error) throws {
    switch error {
    case TileError.damaged, TileError.unreadable, TileError.unsupported, TileError.noTiles,
      TileError.nothingToWrite,
      TileError.cannotHold, TileError.holdsPictures, TileError.tooManyTiles:
      return
    case FeatureStoreError.damaged, FeatureStoreError.unreadable, FeatureStoreError.unsupported:
      return
    default: throw error
    }
  }
}
