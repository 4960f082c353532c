internal import Foundation
internal import PortolanFiles

// The folders that hold the versions of a map.
extension MapLibrary {
  /// Marks the folder of the versions of a map again if only its mark is gone, as in a copy without
  /// hidden files: open versions stay with their readers.
  func restoreMark(of map: StoredMap) async throws(LibraryError) {
    let container = layout.container(of: map.id, map.form)
    guard !layout.isContainer(container), FileStatus(container)?.kind == .folder else { return }
    // The current version may have the other form.
    let recorded = try await storage.versions(of: map.id).map(\.map)
    let current = try await storage.storedMap(map.id)
    let known = recorded + [current].compactMap(\.self)
    guard known.contains(where: { $0.version > 0 && $0.form == map.form }) else { return }
    do { try files.write(Data(), to: container.appending(path: HomeLayout.versionsMarker)) } catch {
      throw LibraryError(error)
    }
  }

  /// Refuses, before any work is done for it, a map that could not take its place in the end: where the
  /// folders of the home are on several disks, or a link is in place of the folder of its versions.
  ///
  /// - Parameters:
  ///   - id: The map, which need not be there.
  ///   - form: The form that its new version will have.
  /// - Throws: ``LibraryError/unwritable(file:reason:)``, ``LibraryError/linkedFolder(file:)``,
  ///   ``LibraryError/unreadable(file:reason:)``, and the catalogue's errors.
  public func requirePlace(
    for id: MapID, _ form: StoredMap.Form
  ) async throws(LibraryError) {
    try requireOneDisk(from: layout.folder(.staging), for: form)
    try await requireNoLink(inPlaceOf: id, form)
  }

  /// Refuses to move something from a folder of the home to where maps of a form are, where that is on another
  /// disk.
  func requireOneDisk(from folder: URL, for form: StoredMap.Form) throws(LibraryError) {
    let target = layout.folder(form == .folder ? .maps : .packages)
    guard !files.isOneDisk(folder, target) else { return }
    throw .unwritable(file: target.plainPath, reason: FileError.otherDisk)
  }

  /// Refuses a link in place of the folder of the versions of a map that is on the list: moved away as something
  /// foreign it would take the version before, and the path of those who read it, with it.
  func requireNoLink(
    inPlaceOf id: MapID, _ form: StoredMap.Form
  ) async throws(LibraryError) {
    let container = layout.container(of: id, form)
    let kind: FileType?
    do { kind = try files.status(of: container)?.kind } catch { throw LibraryError(reading: error) }
    guard kind == .link, try await storage.storedMap(id)?.deleted == nil,
      try await storage.versions(of: id).contains(where: {
        $0.map.form == form && files.exists(layout.place(of: $0.map))
      })
    else { return }
    throw .linkedFolder(file: container.plainPath)
  }

  /// Creates the folder of the versions of a map, and marks it.
  func prepareContainer(of map: StoredMap) throws(LibraryError) {
    let container = layout.container(of: map.id, map.form)
    let parent = container.deletingLastPathComponent()
    guard files.exists(parent) else {
      throw .unwritable(file: parent.path(percentEncoded: false), reason: "it is gone")
    }
    guard try !layout.holdsVersions(container, in: files) else { return }
    removeEmptyContainers(of: map.id)
    // Something that no record knows; it may be a map with edits.
    if files.exists(container) { try setAside(container, as: map.id.text) }
    do {
      try files.createFolder(container, permissions: 0o700)
      try files.write(Data(), to: container.appending(path: HomeLayout.versionsMarker))
    } catch {
      throw LibraryError(error)
    }
  }

  /// Removes the folders of the versions of a map, as far as there is none in them.
  func removeEmptyContainers(of id: MapID) {
    for form in [StoredMap.Form.folder, .file] {
      let container = layout.container(of: id, form)
      guard FileStatus(container)?.kind == .folder else { continue }
      do {
        let names = try FileManager.default.contentsOfDirectory(
          atPath: container.path(percentEncoded: false))
        guard
          names.allSatisfy({
            $0 == HomeLayout.versionsMarker || $0.hasPrefix(".editing-")
              || HomeLayout.isKeptNote($0) || StagedFile.isTemporary($0)
          })
        else { continue }
        try erase(container)
      } catch {
        // What cannot be listed is not known to be empty; what cannot be removed is found by the
        // audit.
      }
    }
  }
}
