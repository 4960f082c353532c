public import Foundation
internal import PortolanFiles

// Where the versions of maps are. Homes of older Portolans have one version of each map, and no
// folder around it: those have the number 0 here.
extension HomeLayout {
  /// The name of the file that marks the folder of a map as one that holds its versions.
  static let versionsMarker = ".portolan-versions"

  /// Where a stored map is, when it is not in the trash.
  public func place(of map: StoredMap) -> URL {
    place(of: map.version, below: root(of: map.id, map.form, version: map.version), map.form)
  }

  /// Where the files of a deleted map are until they are removed.
  public func deletedPlace(of map: StoredMap) -> URL {
    place(of: map.version, below: trashRoot(of: map.id, map.form), map.form)
  }

  /// Where a deleted map goes, with all its versions.
  public func trashPlace(of map: StoredMap) -> URL { trashRoot(of: map.id, map.form) }

  private func place(of version: Int, below root: URL, _ form: StoredMap.Form) -> URL {
    switch (version, form) {
    // A process died while it moved a map of an older home into a folder of versions: the files
    // have their new place, and the catalogue does not know of it yet.
    case (0, .folder) where isContainer(root):
      root.appending(path: "1", directoryHint: .isDirectory)
    case (0, _): root
    case (_, .folder): root.appending(path: "\(version)", directoryHint: .isDirectory)
    case (_, .file): root.appending(path: "\(version).mmpk")
    }
  }

  /// The folder of a map's versions, or the map itself in an older home.
  private func root(of id: MapID, _ form: StoredMap.Form, version: Int) -> URL {
    version == 0 ? flatPlace(of: id, form) : container(of: id, form)
  }

  /// The folder of the versions of a map.
  func container(of id: MapID, _ form: StoredMap.Form) -> URL {
    folder(form == .folder ? .maps : .packages)
      .appending(path: id.text, directoryHint: .isDirectory)
  }

  /// Where a version of a map may be, in either form, be the map in the trash.
  func places(of number: Int, of id: MapID) -> [URL] {
    [StoredMap.Form.folder, .file].flatMap { form in
      [container(of: id, form), trashRoot(of: id, form)].map {
        place(of: number, below: $0, form)
      }
    }
  }

  /// Where a map is in an older home.
  func flatPlace(of id: MapID, _ form: StoredMap.Form) -> URL {
    switch form {
    case .folder: container(of: id, form)
    case .file: folder(.packages).appending(path: "\(id.text).mmpk")
    }
  }

  private func trashRoot(of id: MapID, _ form: StoredMap.Form) -> URL {
    switch form {
    case .folder: folder(.trash).appending(path: id.text, directoryHint: .isDirectory)
    case .file: folder(.trash).appending(path: "\(id.text).mmpk")
    }
  }

  /// What is moved when a map is deleted, and where to: all its versions, of both forms.
  func trashMoves(of map: StoredMap) -> [(place: URL, trash: URL)] {
    guard map.version > 0 else { return [(place(of: map), trashPlace(of: map))] }
    return [StoredMap.Form.folder, .file].map {
      (container(of: map.id, $0), trashRoot(of: map.id, $0))
    }
  }

  /// Whether what is in a place of a deleted map is not what was deleted, which is in the trash: versions
  /// that no record knows, as where an older catalogue was put back from a backup.
  func isStray(_ place: URL, of map: StoredMap, in files: FileSystem) -> Bool {
    map.version > 0 && place.plainPath == container(of: map.id, map.form).plainPath
      && files.exists(deletedPlace(of: map)) && !files.exists(self.place(of: map))
  }

  /// Where a map is assembled in folders of versions while its home is migrated.
  func migrationDraft(of id: MapID) -> URL {
    folder(.maps).appending(path: ".\(id.text).migrating", directoryHint: .isDirectory)
  }

  /// What was left there.
  var migrationDrafts: [URL] {
    let maps = folder(.maps)
    // A folder that cannot be listed is looked at next time.
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: maps.path(percentEncoded: false))
    return (names ?? []).filter { $0.hasPrefix(".") && $0.hasSuffix(".migrating") }
      .map { maps.appending(path: $0, directoryHint: .isDirectory) }
  }

  /// Whether a file or folder is a version of a stored map, whose name is a number that means
  /// nothing to people.
  public static func isVersion(_ url: URL) -> Bool {
    let container = url.standardizedFileURL.deletingLastPathComponent()
    return FileStatus(container.appending(path: versionsMarker))?.kind == .file
  }

  /// Whether a folder holds the versions of a map, for decisions by which it is moved.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` where that is not known.
  func holdsVersions(_ url: URL, in files: FileSystem) throws(LibraryError) -> Bool {
    do {
      guard try files.status(of: url)?.kind == .folder else { return false }
      return try files.status(of: url.appending(path: Self.versionsMarker))?.kind == .file
    } catch {
      throw LibraryError(reading: error)
    }
  }

  /// Whether a folder holds the versions of a map.
  func isContainer(_ url: URL) -> Bool {
    FileStatus(url)?.kind == .folder
      && FileStatus(url.appending(path: Self.versionsMarker))?.kind == .file
  }

  /// The versions in a folder of versions, by their numbers; other things in it are left out.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` if it cannot be listed.
  func versions(
    in container: URL, in files: FileSystem = .live
  ) throws(LibraryError) -> [(number: Int, url: URL)] {
    try list(container, in: files).compactMap { url in
      let name = url.pathExtension == "mmpk" ? url.deletingPathExtension() : url
      return Int(name.lastPathComponent).map { ($0, url) }
    }.sorted { $0.0 < $1.0 }
  }

  /// The file that is locked while a version of a map is being edited.
  func editingLock(of map: StoredMap) -> URL {
    map.version == 0
      ? folder(.maps).appending(path: ".\(map.id.text).editing")
      : container(of: map.id, map.form).appending(path: ".editing-\(map.version)")
  }

  /// Stands in the names of what was deleted, and is kept since it holds edits.
  static let deletedMark = "-deleted"

  /// A free place for something of that name that is kept.
  func keptPlace(of name: String, isDeleted: Bool = false) -> URL {
    for number in 1... {
      let mark = isDeleted ? Self.deletedMark : ""
      let url = folder(.kept).appending(path: "\(name)\(mark)-\(number)")
      if FileStatus(url) == nil { return url }
    }
    return folder(.kept)
  }
}
