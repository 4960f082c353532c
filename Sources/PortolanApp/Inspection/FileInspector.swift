public import Foundation
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanMap
public import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles

/// Finds out what files hold, and finds layers in them.
public struct FileInspector: Sendable {
  private let opener: any FileOpening
  private let summaryCache: any PackageSummaryCache

  /// Creates an inspector; `summaryCache` remembers what folders of packages hold.
  public init(
    opener: any FileOpening, summaryCache: any PackageSummaryCache = InMemoryPackageSummaryCache()
  ) {
    self.opener = opener
    self.summaryCache = summaryCache
  }

  /// The packages in folders, each as its metadata declare it; see ``isFolderOfPackages(_:)``.
  ///
  /// - Parameters:
  ///   - urls: Folders of packages; each other file or folder is listed as a package by itself.
  ///   - now: The present.
  /// - Returns: A listing for each, in order; what is missing beside others is listed as damaged.
  /// - Throws: `PackageError` if a folder cannot be listed, ``InspectionError`` if there is
  ///   nothing at any of the paths.
  @concurrent public func list(_ urls: [URL], now: Date) async throws -> [PackageListing] {
    let missing = urls.filter {
      !FileManager.default.fileExists(atPath: $0.path(percentEncoded: false))
    }
    if let first = missing.first, missing.count == urls.count {
      throw InspectionError.noSuchFile(file: first.relativePath)
    }
    return try urls.map { url in
      guard !missing.contains(url) else { return PackageListing(missing: url) }
      return PackageFolder.isOne(url)
        ? PackageListing(try PackageFolder(url, summaryCache: summaryCache).listing(now: now))
        : PackageListing(PackageFolder.Listing(ofPackageAt: url))
    }
  }

  /// Whether a folder is no package itself, but one that packages lie in.
  @concurrent public static func isFolderOfPackages(_ url: URL) async -> Bool {
    PackageFolder.isOne(url)
  }

  /// The sets of tiles in a file, to be served.
  ///
  /// - Throws: ``InspectionError`` if there is nothing at the path, a problem if it has no tiles.
  @concurrent public func tiles(in url: URL) async throws -> [ServedTiles] {
    let name = url.deletingPathExtension().lastPathComponent
    switch try await opener.open(url) {
    case .tiles(let source, _): return [ServedTiles(name: name, source: source)]
    case .geoPackage(let contents, _) where !contents.tiles.isEmpty:
      return contents.tiles.map { ServedTiles(name: $0.info.name, source: $0) }
    default:
      throw Problem(
        .nothingToConvert, message: "\(url.lastPathComponent) has no tiles of its own.",
        suggestion: "Serve a map instead, which is drawn.")
    }
  }

  /// Everything that a file holds, counted.
  ///
  /// - Throws: What the readers of the format throw if the file cannot be opened; parts that cannot be
  ///   read are warnings of the result.
  @concurrent public func inspect(_ url: URL) async throws -> Inspection {
    let file = try await opener.open(url)
    var inspection = Inspection(kind: file.facts.kind)
    inspection.version = file.facts.version
    inspection.size = file.facts.size
    switch file {
    case .features(let store, _):
      try await Self.add(store, to: &inspection)
      if let surveyed = store as? any SurveyedStore {
        inspection.unreadableParts = surveyed.unreadableParts
        inspection.warnings += surveyed.notes
      }
    case .package(let package, _):
      try await PackageInspector(package).add(to: &inspection)
    case .map(let map, _):
      let stem = url.deletingPathExtension().lastPathComponent
      inspection.maps = [MapInspector(map).facts(name: stem, title: stem)]
    case .tiles(let source, _):
      try await Self.add(source, to: &inspection)
    case .geoPackage(let contents, _):
      if let store = contents.features { try await Self.add(store, to: &inspection) }
      for source in contents.tiles {
        inspection.tileSets.append(try await Inspection.TileSet(of: source))
      }
      inspection.warnings += contents.problems
    case .closed:
      inspection.warnings = ["The format is closed: nothing in it can be read."]
    }
    return inspection
  }

  private static func add(
    _ source: any TileSource, to inspection: inout Inspection
  ) async throws(TileError) {
    inspection.title = source.info.name
    inspection.warnings = source.info.warnings
    do throws(TileError) {
      // Listing a folder of tiles takes long; a survey counts them as well.
      let survey = try (source as? TileFolderSource)?.survey()
      inspection.tileSets = [try await Inspection.TileSet(of: source, counts: survey?.counts)]
      inspection.warnings += survey?.warnings ?? []
    } catch {
      // The directories that count tiles may be among what is missing.
      guard !source.info.warnings.isEmpty, error != .cancelled else { throw error }
      inspection.warnings += [error.errorDescription].compactMap(\.self)
    }
  }

  /// A layer of a file, by its title, its name or the name of its table, without case.
  ///
  /// - Throws: `InspectionError` if the file has no features, or if no layer or several have the name, and what
  ///   the readers of the format throw.
  @concurrent public func layer(named name: String, in url: URL) async throws -> InspectedLayer {
    let file = try await opener.openToUse(url)
    let layers: [[InspectedLayer]]
    var warnings: [String] = []
    var unreadableParts: [String] = []
    var referenceFault: String?
    switch file {
    case .features(let store, _):
      layers = [try await InspectedLayer.tables(of: store)]
      if let surveyed = store as? any SurveyedStore {
        unreadableParts = surveyed.unreadableParts
        warnings = surveyed.notesOnRows
        referenceFault = surveyed.unknownReference?.fact
      }
    case .geoPackage(let contents, let facts):
      guard let store = contents.features else {
        throw InspectionError.noFeatures(file: facts.name, kind: facts.kind)
      }
      layers = [try await InspectedLayer.tables(of: store)]
    case .package(let package, _):
      layers = try await PackageInspector(package).featureLayers()
      warnings = package.warnings
    case .closed(let facts):
      throw InspectionError.closedFormat(file: facts.name, kind: facts.kind)
    case .map(_, let facts), .tiles(_, let facts):
      throw InspectionError.noFeatures(file: facts.name, kind: facts.kind)
    }
    var layer = try layers.layer(named: name, in: file.facts.name)
    let gaps = try await (layer.store as? any GapListingStore)?.gaps() ?? []
    layer.warnings =
      warnings + gaps.filter { $0.table == layer.schema.name }.map(\.summary)
    layer.unreadableParts = unreadableParts
    layer.referenceFault = referenceFault
    return layer
  }

  /// Adds the tables of a store, each with its rows counted.
  ///
  /// If a shape cannot be read, the extent is the declared one, and a warning says so, as of tables
  /// that are not shown.
  static func add(
    _ store: any FeatureStore, from file: String? = nil, to inspection: inout Inspection
  ) async throws(FeatureStoreError) {
    for schema in try await store.schemas() {
      let count: Int
      do throws(FeatureStoreError) {
        count = try await store.count(in: schema.name, matching: QueryParameters())
      } catch {
        // A view that cannot be computed says nothing of the other tables.
        guard case .unsupported = error else { throw error }
        inspection.unreadableParts += [error.errorDescription].compactMap(\.self)
        continue
      }
      var table = Inspection.Table(file: file, schema: schema, count: count)
      if schema.geometryType != nil {
        do throws(FeatureStoreError) {
          table.extent = try await store.extent(of: schema.name, matching: QueryParameters())
        } catch .cancelled {
          throw .cancelled
        } catch {
          table.extent = schema.extent
          inspection.warnings += [error.errorDescription].compactMap(\.self)
        }
      }
      inspection.tables.append(table)
    }
    let gaps = try await (store as? any GapListingStore)?.gaps() ?? []
    inspection.warnings += gaps.map(\.summary)
  }
}

extension Inspection.TileSet {
  /// The summary of a tile source; its tiles are counted unless `counts` gives their number by
  /// level.
  init(
    of source: any TileSource, file: String? = nil, counts known: [Int: Int]? = nil
  ) async throws(TileError) {
    let counts = if let known { known } else { try await source.tileCounts() }
    self.init(file: file, info: source.info, isVector: source.info.isVector, counts: counts)
    let levels = counts.filter { $0.value > 0 }.keys
    let filled = levels.min().flatMap { first in levels.max().map { first...$0 } }
    layers = await SourceLayer.layers(of: source).map { $0.limited(to: filled) }
  }
}
