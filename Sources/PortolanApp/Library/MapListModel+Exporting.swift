public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanLibrary
internal import PortolanOffline

extension MapListModel {
  /// Writes a stored map into a file of its own, as a mobile map package.
  ///
  /// A map that was taken offline is packed; its edits are in the file. What is there already is
  /// replaced only if that is requested, and only once the new file is whole. Of a map whose files are
  /// missing, cut or altered nothing is written, unless it may hold edits that were not sent and it is
  /// requested all the same.
  ///
  /// - Parameters:
  ///   - id: The id of the map.
  ///   - url: The file to make, whose name ends in `.mmpk`.
  ///   - replaces: Whether it may take the place of a file that is there.
  ///   - savesDamaged: Whether a damaged map may be written for the edits that it may hold.
  /// - Returns: What was written, and what is missing in it.
  /// - Throws: A problem if the map is not stored, is damaged, is being edited, or the file cannot be
  ///   written.
  public func export(
    _ id: String, to url: URL, replacing replaces: Bool = false,
    savingDamaged savesDamaged: Bool = false
  ) async throws(Problem) -> MapExport {
    try Self.check(url, replaces: replaces)
    let opened = try await beginUse(of: id)
    do {
      let map = opened.lease.map
      let damage = try await library.maps.damage(of: map)
      if let damage, !savesDamaged || !damage.mayHoldEdits {
        throw LibraryError.damagedMap(
          map: map.title, reason: damage.reason, mayHoldEdits: damage.mayHoldEdits)
      }
      switch map.form {
      case .file: try await Self.copy(opened.url, to: url, replacing: replaces)
      case .folder:
        let id = library.offline.surroundings.makeID()
        try await Self.pack(
          opened, into: url, replacing: replaces, stagedAs: id, isDamaged: damage != nil)
      }
      // Edits that cannot be counted are in the file all the same; those of other versions are not.
      let edits = try? await library.maps.unsentEdits(inVersion: map)
      return MapExport(
        id: map.id.text, title: map.title, file: url.path(percentEncoded: false),
        byteCount: try FileStatus(at: url)?.byteCount ?? 0, damage: damage?.reason,
        unsentEdits: edits)
    } catch ArchiveError.alreadyExists, FileError.alreadyExists {
      // It has appeared meanwhile, and stays.
      throw .targetExists(url)
    } catch {
      throw Problem(error)
    }
  }

  /// Checks the file to make, before anything is read.
  private static func check(_ url: URL, replaces: Bool) throws(Problem) {
    // Under another name nothing would take it for a package.
    guard url.pathExtension.lowercased() == "mmpk" else {
      throw Problem(
        message: "A map is exported as a mobile map package, the name of which ends in .mmpk.",
        suggestion: "Name it \"\(url.deletingPathExtension().lastPathComponent).mmpk\"."
      ).about(url)
    }
    guard replaces || !FileSystem.live.exists(url) else { throw .targetExists(url) }
    guard FileSystem.live.exists(url.deletingLastPathComponent()) else {
      throw Problem(
        .noSuchFolder, message: "There is no folder for \(url.relativePath).",
        suggestion: "Make the folder first, or check its name."
      ).about(url)
    }
  }

  /// Packs the files of a map, and copies of its databases, which do not change.
  ///
  /// Those of a damaged map are packed as they are, with their journals, where they are damaged themselves.
  @concurrent private static func pack(
    _ map: OpenedStoredMap, into url: URL, replacing replaces: Bool, stagedAs id: UUID,
    isDamaged: Bool
  ) async throws {
    let staging = try ExportStaging(beside: url, id: id)
    defer { staging.remove() }
    let (folder, copies) = (map.url, staging.folder)
    let databases = try await map.library.copyDatabases(
      of: map.lease.map, to: copies, evenIfDamaged: isDamaged)
    let own = try paths(of: folder).filter { path in
      !MapLibrary.belongs(path, toOneOf: databases) && !MapLibrary.isUnfinished(path)
    }
    let copied = try paths(of: copies)
    // A package without one of them would pass for the whole map.
    if let missing = databases.first(where: { !copied.contains($0) }) {
      throw FileError.absent(file: copies.appending(path: missing).path(percentEncoded: false))
    }
    let files =
      own.map { ($0, folder.appending(path: $0)) }
      + copied.map { ($0, copies.appending(path: $0)) }
    var archive = try ZIPWriter(replacing: url)
    for (path, file) in files.sorted(by: { $0.0 < $1.0 }) { try archive.add(path, file: file) }
    try archive.finish(replacing: replaces)
  }

  /// The files of a map that belong into a package.
  private nonisolated static func paths(of folder: URL) throws -> [String] {
    let root = folder.standardizedFileURL
    let depth = root.pathComponents.count
    var paths: [String] = []
    try FileTree.walk(root) { file, status in
      let path = file.pathComponents.dropFirst(depth)
      // Hidden files are notes of Portolan's own.
      guard status.kind == .file, !path.contains(where: { $0.hasPrefix(".") }),
        path.first != "portolan.json"
      else { return }
      paths.append(path.joined(separator: "/"))
    }
    return paths
  }

  @concurrent private static func copy(
    _ source: URL, to url: URL, replacing replaces: Bool
  ) async throws {
    try RegularFile(at: source).writeCopy(to: url, replacing: replaces)
  }
}
