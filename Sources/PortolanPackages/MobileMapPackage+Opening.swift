public import Foundation
internal import PortolanJSON
internal import PortolanMap

extension MobileMapPackage {
  /// Opens a package, or anything else that a map can be made of.
  ///
  /// That is a `.mmpk` or its unpacked folder; a `.mmap` document in such a folder; a geodatabase,
  /// whose tables become the layers of one map; a tile package, a tile cache, an MBTiles file, a
  /// PMTiles archive or a GeoPackage with tiles, which become one.
  /// The kind of a file is found by its content, never by its name.
  ///
  /// - Parameters:
  ///   - url: The file or folder.
  ///   - folder: Where compressed parts of archives are unpacked to, when they are first used.
  ///   - now: The present, for expiry.
  ///   - editing: What edits take from outside; without it nothing can be edited.
  ///   - refusesExpired: Whether a package that has expired and may not be used since is refused; else
  ///     its warnings say so.
  ///   - name: How messages name a package; the name of its file or folder unless given.
  /// - Returns: The package; the data of its layers are not opened yet.
  /// - Throws: ``PackageError`` if it is none of these, is damaged, or has expired.
  @concurrent public static func open(
    at url: URL, unpackingInto folder: URL, now: Date, editing: EditingEnvironment? = nil,
    refusesExpired: Bool = true, named name: String? = nil
  ) async throws(PackageError) -> MobileMapPackage {
    switch try ContainerKind(of: url) {
    case .folder:
      // Looked at before anything below: any folder may be requested, even the root of the disk.
      return try FolderContents.isPackage(url)
        ? try package(url, FolderContents(url, named: name), now, editing, refusesExpired)
        : try TileFileMap(url: url).package()
    case .archive:
      let contents = try ArchiveContents(
        url, unpackingInto: UnpackedFolders(folder, now: now), named: name)
      if contents.rootPaths.contains(where: { $0.lowercased().hasSuffix(".info") }) {
        return try package(url, contents, now, editing, refusesExpired)
      }
      guard contents.paths.contains(where: TileFileMap.describesTiles) else {
        throw .notAPackage(file: contents.name, reason: "it holds neither a map nor tiles")
      }
      return try TileFileMap(url: url).package()
    case .geodatabase:
      return try await FeatureFileMap(
        url: url, place: .file(url, .geodatabase, editing)
      ).package()
    case .database: return try await database(url, editing)
    case .tileArchive: return try TileFileMap(url: url).package()
    case .json: return try document(url, now, editing)
    }
  }

  private static func package(
    _ url: URL, _ contents: any PackageContents, _ now: Date, _ editing: EditingEnvironment?,
    _ refusesExpired: Bool
  ) throws(PackageError) -> MobileMapPackage {
    try PackageReader(
      url: url, contents: contents,
      sources: PackageDataSources(contents, editing: editing), now: now,
      refusesExpired: refusesExpired
    ).package()
  }

  /// A database without Esri's mark: a GeoPackage with features, tiles or both, an MBTiles file, or
  /// an old geodatabase.
  private static func database(
    _ url: URL, _ editing: EditingEnvironment?
  ) async throws(PackageError) -> MobileMapPackage {
    // What holds no tiles is for the readers of features, which say what is wrong with it.
    let tiles = try? TileFileMap(url: url).package()
    let map = FeatureFileMap(
      url: url, place: .file(url, .geoPackage, editing), tiles: tiles?.maps.first)
    // The same: what is no GeoPackage is for the next reader.
    if let package = try? await map.package() { return package }
    if let tiles { return tiles }
    return try await FeatureFileMap(
      url: url, place: .file(url, .geodatabase, editing)
    ).package()
  }

  /// A `.mmap` document on its own: its layers find their data beside it.
  private static func document(
    _ url: URL, _ now: Date, _ editing: EditingEnvironment?
  ) throws(PackageError) -> MobileMapPackage {
    let contents = try FolderContents(url.deletingLastPathComponent())
    let reader = PackageReader(
      url: url, contents: contents,
      sources: PackageDataSources(contents, editing: editing), now: now)
    do { return try reader.package(ofMapAt: url.lastPathComponent) } catch {
      // The folder around the document is no package that could be damaged.
      guard case .damaged(_, let place, let reason) = error, place == url.lastPathComponent else {
        throw error
      }
      throw .notAPackage(file: place, reason: reason)
    }
  }
}
