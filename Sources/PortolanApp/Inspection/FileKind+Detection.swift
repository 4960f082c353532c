internal import Foundation
internal import PortolanArchives
internal import PortolanTileFiles
internal import PortolanTiles

extension FileKind {
  /// Looks at what stands at `url`: content decides, not the name.
  ///
  /// - Throws: ``InspectionError`` if there is nothing or nothing known; ``ArchiveError`` if it is
  ///   an archive that cannot be read.
  static func detect(at url: URL) throws -> FileKind {
    let name = url.lastPathComponent
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else {
      throw InspectionError.noSuchFile(file: url.relativePath)
    }
    let values = try url.resolvingSymlinksInPath().resourceValues(
      forKeys: [.isDirectoryKey, .isRegularFileKey])
    if values.isDirectory == true { return try folderKind(of: url) }
    // A pipe would be waited for.
    guard values.isRegularFile == true else { throw InspectionError.unknownKind(file: name) }
    let head = try head(of: url)
    switch Magic(head) {
    case .geodatabase: return .geodatabase
    case .geoPackage: return .geoPackage
    case .pmtiles: return .pmtiles
    case .otherDatabase: return try databaseKind(of: url)
    case .archive: return archiveKind(of: try ZIPArchive(at: url), name: name)
    case .object where url.pathExtension.lowercased() == "mmap",
      .geoJSON where url.pathExtension.lowercased() == "mmap":
      return .map
    case .geoJSON: return .geoJSON
    case .locator: return .locator
    case .object, .unknown: throw InspectionError.unknownKind(file: name)
    }
  }

  /// The kind of a database whose writer left the mark away, as most of MBTiles files do.
  ///
  /// The name counts first: whether the tables are there shows when the file is read, and the
  /// error then says what is wrong with it.
  private static func databaseKind(of url: URL) throws -> FileKind {
    switch url.pathExtension.lowercased() {
    case "geodatabase": return .geodatabase
    case "gpkg": return .geoPackage
    case "mbtiles": return .mbtiles
    default: break
    }
    let file: TileFile
    do { file = try TileFile.open(url) } catch {
      throw InspectionError.unknownKind(file: url.lastPathComponent)
    }
    if case .geoPackage = file { return .geoPackage }
    return .mbtiles
  }

  /// Enough of a file to tell what it is.
  private static func head(of url: URL) throws -> Data {
    do {
      let file = try FileHandle(forReadingFrom: url)
      return try file.read(upToCount: 4_096) ?? Data()
    } catch {
      throw InspectionError.unreadable(
        file: url.relativePath, reason: error.localizedDescription)
    }
  }

  private static func folderKind(of url: URL) throws -> FileKind {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: url.path(percentEncoded: false))
    if names.contains(where: { $0.lowercased().hasSuffix(".info") }) { return .mobileMapFolder }
    return .tileCache
  }

  private static func archiveKind(of archive: ZIPArchive, name: String) -> FileKind {
    let paths = archive.entries.compactMap { $0.path?.lowercased() }
    let isPackage = paths.contains { path in
      path.hasSuffix(".mmap") || (path.hasSuffix(".info") && !path.contains("/"))
    }
    return isPackage ? .mobileMapPackage : .tilePackage
  }
}

/// What the first bytes of a file say.
private enum Magic {
  /// SQLite with Esri's application id (Docs/FORMATS.md, 2.1).
  case geodatabase
  /// SQLite with one of the application ids of GeoPackages (Docs/FORMATS.md, 4.1).
  case geoPackage
  case otherDatabase
  case pmtiles
  /// ZIP.
  case archive
  /// A JSON object.
  case object
  /// A JSON object that says that it is GeoJSON, at once or after its first members.
  case geoJSON
  /// The properties of a locator, or its compiled style (Docs/FORMATS.md, 5).
  case locator
  case unknown

  private static let geodatabaseID = Data("Esri".utf8)
  private static let geoPackageIDs = ["GPKG", "GP10", "GP11"].map { Data($0.utf8) }

  /// A byte order mark, and what stands before each text of a sequence.
  private static let marks: Set<Character> = ["\u{FEFF}", "\u{1E}"]

  private static var geoJSONType: Regex<(Substring, Substring)> {
    /"type"\s*:\s*"(FeatureCollection|Feature|(?:Multi)?(?:Point|LineString|Polygon))"/
  }

  init(_ head: Data) {
    let text = String(decoding: head, as: UTF8.self)
    if head.starts(with: Array("SQLite format 3\0".utf8)) {
      let applicationID = Data(head.dropFirst(68).prefix(4))
      self =
        applicationID == Self.geodatabaseID
        ? .geodatabase
        : Self.geoPackageIDs.contains(applicationID) ? .geoPackage : .otherDatabase
    } else if head.starts(with: Array("PMTiles".utf8)) {
      self = .pmtiles
    } else if head.starts(with: Array("PK".utf8)) {
      self = .archive
    } else if text.first(where: { !$0.isWhitespace && !Self.marks.contains($0) }) == "{" {
      self = text.firstMatch(of: Self.geoJSONType) == nil ? .object : .geoJSON
    } else if text.contains("CLSID = {DA70B7E3") || text.contains("CLSID = {26AC4C70")
      || head.starts(with: Array("PLBS".utf8))
    {
      self = .locator
    } else {
      self = .unknown
    }
  }
}
