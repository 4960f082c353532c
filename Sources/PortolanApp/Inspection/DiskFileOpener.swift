public import Foundation
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles

/// Opens files and folders of every kind that is known.
public struct DiskFileOpener: FileOpening {
  /// The largest map document; what is larger is no such thing.
  private static let largestMap = 64 << 20

  private let packages: any PackageOpening

  /// Creates an opener; `packages` opens those that hold maps.
  public init(packages: any PackageOpening) { self.packages = packages }

  public func open(_ url: URL) async throws -> OpenedFile {
    var facts = FileFacts(kind: try FileKind.detect(at: url), name: url.lastPathComponent)
    let values = try url.resolvingSymlinksInPath().resourceValues(
      forKeys: [.fileSizeKey, .isRegularFileKey])
    facts.size = values.isRegularFile == true ? values.fileSize : nil
    switch facts.kind {
    case .geodatabase:
      let geodatabase = try Geodatabase.open(at: url)
      facts.version = try await geodatabase.read { reader throws(FeatureStoreError) in
        try reader.declaredVersion()
      }
      return .features(geodatabase, facts)
    case .geoJSON: return .features(try await GeoJSONFile.open(at: url), facts)
    case .featureSet: return .features(try await TableFile.featureSet(at: url), facts)
    case .shapefile: return .features(try await TableFile.shapefile(at: url), facts)
    case .flatGeobuf: return .features(try await TableFile.flatGeobuf(at: url), facts)
    case .csv: return .features(try await TableFile.csv(at: url), facts)
    case .mobileMapPackage, .mobileMapFolder:
      return .package(try await packages.openToInspect(url), facts)
    case .map: return .map(try Self.map(at: url, size: facts.size ?? 0), facts)
    case .tilePackage, .tileCache, .vectorTilePackage: return try Self.tiles(at: url, facts)
    case .mbtiles: return .tiles(try MBTilesFile.open(url), facts)
    case .pmtiles: return .tiles(try PMTilesFile.open(url), facts)
    case .geoPackage: return .geoPackage(try await Self.geoPackage(at: url), facts)
    case .locator: return .closed(facts)
    }
  }

  public func openToUse(_ url: URL) async throws -> OpenedFile {
    let file = try await open(url)
    // Opened once more, as for showing its maps: it is then known whether it may be used.
    if case .package = file { _ = try await packages.open(url) }
    return file
  }

  private static func geoPackage(at url: URL) async throws -> GeoPackageContents {
    let store = try GeoPackage.open(at: url)
    let tiles = try GeoPackageTiles.open(url)
    let hasTables = try await !store.schemas().isEmpty
    // The content that a store with tables leaves out is added with these.
    let gaps = try await hasTables ? [] : store.gaps().map(\.summary)
    let problems = tiles.problems.sorted { $0.key < $1.key }.map { name, error in
      "The table \"\(name)\" cannot be read. \(error.localizedDescription)"
    }
    return GeoPackageContents(
      features: hasTables ? store : nil, tiles: tiles.tables, problems: gaps + problems)
  }

  private static func tiles(at url: URL, _ facts: FileFacts) throws(TileError) -> OpenedFile {
    guard !TileFolderSource.isOne(url) else {
      return .tiles(try TileFolderSource.open(url), facts)
    }
    let file = try TilePackageFile.open(url)
    var facts = facts
    // Only the contents distinguish images from vectors.
    if case .vector = file { facts.kind = .vectorTilePackage }
    facts.version = try file.declaredVersion()
    return .tiles(file.source, facts)
  }

  /// A map document, which may be a web map or hold one beside its item (Docs/FORMATS.md, 1.3).
  private static func map(at url: URL, size: Int) throws -> WebMap {
    let name = url.lastPathComponent
    guard size <= largestMap else { throw InspectionError.unknownKind(file: name) }
    let data: Data
    do { data = try Data(contentsOf: url) } catch { throw InspectionError(reading: url, error) }
    let json: JSONValue
    do { json = try JSONValue(parsing: data) } catch {
      throw PackageError.damaged(file: name, place: "the document", reason: error.plainReason)
    }
    return try WebMap(json: json["map"] ?? json)
  }
}
