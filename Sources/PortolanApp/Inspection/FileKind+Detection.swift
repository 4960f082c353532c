internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles

extension FileKind {
  /// Examines the file at `url`: content decides, not the name.
  ///
  /// - Throws: ``InspectionError`` if there is nothing or nothing known; `FileError` if it is a pipe, a
  ///   socket or a device; ``ArchiveError`` if it is an archive that cannot be read.
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
    guard values.isRegularFile == true else {
      let kind = try FileStatus(at: url, links: .followed)?.kind ?? .device
      throw FileError.notAFile(file: name, kind: kind)
    }
    let head = try head(of: url)
    switch FileSignature(head) {
    case .geodatabase: return .geodatabase
    case .geoPackage: return .geoPackage
    case .pmtiles: return .pmtiles
    case .otherDatabase: return try databaseKind(of: url)
    case .archive:
      return try archiveKind(of: url)
    case .object where url.pathExtension.lowercased() == "mmap",
      .geoJSON where url.pathExtension.lowercased() == "mmap":
      return .map
    case .object where isFeatureSet(head): return .featureSet
    case .geoJSON: return .geoJSON
    // The members of features may be longer than the part that was examined.
    case .object where url.pathExtension.lowercased() == "geojson": return .geoJSON
    case .locator: return .locator
    case .unknown where Array(head.prefix(4)) == [0, 0, 0x27, 0x0A]: return .shapefile
    case .unknown where Array(head.prefix(7)) == [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62]:
      return .flatGeobuf
    // Nothing in them distinguishes such files from other texts.
    case .unknown where ["csv", "tsv"].contains(url.pathExtension.lowercased()) && !head.isEmpty:
      return .csv
    case .unknown where url.pathExtension.lowercased() == "dbf":
      throw InspectionError.partOfShapefile(file: name, isArchive: false)
    case .object, .unknown: throw InspectionError.unknownKind(file: name)
    }
  }

  /// Whether a JSON object begins as the answer of a feature service to a query, and not as a map or the
  /// description of a layer, which also name kinds of shapes.
  private static func isFeatureSet(_ head: Data) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    let others = ["operationalLayers", "baseMap", "drawingInfo", "layers", "currentVersion"]
    return text.contains(/"(objectIdFieldName|displayFieldName|geometryType|features)"\s*:/)
      && !others.contains { text.contains("\"\($0)\"") }
  }

  /// The kind of an archive, by what is in it.
  private static func archiveKind(of url: URL) throws -> FileKind {
    let paths = try ZIPArchive(at: url).entries.compactMap(\.path)
    let kind = FileKind(ofArchiveWith: paths)
    let hasShapes = paths.contains { $0.lowercased().hasSuffix(".shp") }
    guard kind == .mobileMapPackage || !hasShapes else {
      throw InspectionError.partOfShapefile(file: url.lastPathComponent, isArchive: true)
    }
    return kind
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
  static func head(of url: URL) throws -> Data {
    if let head = FileSignature.head(of: url) { return head }
    do {
      // Says what is in the way.
      let file = try FileHandle(forReadingFrom: url)
      return try file.read(upToCount: FileSignature.length) ?? Data()
    } catch {
      throw InspectionError(reading: url, error)
    }
  }

  private static func folderKind(of url: URL) throws -> FileKind {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: url.path(percentEncoded: false))
    if names.contains(where: { $0.lowercased().hasSuffix(".info") }) { return .mobileMapFolder }
    guard !TileFolderSource.isOne(url) else { return .tileCache }
    guard !TilePackageFile.holdsSeveral(url) else {
      throw InspectionError.severalPackages(file: url.relativePath)
    }
    return .tileCache
  }
}
