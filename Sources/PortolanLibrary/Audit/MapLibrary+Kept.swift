internal import Foundation
internal import PortolanFiles

extension MapLibrary {
  /// What was set aside since it may hold edits, by name.
  public func keptMaps() async throws(LibraryError) -> [KeptMap] {
    var kept: [KeptMap] = []
    for url in try listKept() { kept.append(try await keptMap(url)) }
    return kept
  }

  private func keptMap(_ url: URL) async throws(LibraryError) -> KeptMap {
    let name = url.lastPathComponent
    // Of what cannot be listed now no version is known.
    var title = (try? currentVersion(in: url)).flatMap(keptRecord(of:))?.title
    if title == nil, let id = MapID(Self.idName(ofKept: name)) {
      title = try await storage.storedMap(id)?.title
    }
    let usage = DiskUsage(of: url)
    return KeptMap(
      name: name, mapName: Self.idName(ofKept: name), title: title, url: url,
      isDeleted: Self.isDeleted(name), byteCount: usage.byteCount,
      allocatedByteCount: usage.allocatedByteCount,
      // What cannot be listed now is there all the same, and hides nothing else.
      geodatabases: (try? GeodatabaseState.paths(in: url)) ?? [])
  }

  /// What lies in the folder of what was set aside; one that cannot be listed is not empty.
  private func listKept() throws(LibraryError) -> [URL] {
    try layout.list(layout.folder(.kept), in: files)
  }

  /// Deletes for good something that was set aside.
  ///
  /// Portolan never does so by itself: edits that nothing else holds may go with it.
  ///
  /// - Returns: The bytes that were freed on the disk.
  /// - Throws: ``LibraryError/notKept(_:)``, and whatever keeps it from being removed.
  @discardableResult
  public func deleteKept(_ name: String) async throws(LibraryError) -> Int {
    let lock = try await lockHome()
    defer { lock.release() }
    guard let url = try listKept().first(where: { $0.lastPathComponent == name })
    else { throw .notKept(name) }
    let freed = DiskUsage.freed(byRemoving: url).allocatedByteCount
    try remove(url)
    return freed
  }

  /// The id of the map that was set aside under a name; the number at its end distinguishes several.
  static func idName(ofKept name: String) -> String {
    let name = withoutNumber(name)
    return isMarked(name) ? String(name.dropLast(HomeLayout.deletedMark.count)) : name
  }

  /// Whether what was set aside under a name had been deleted before.
  private static func isDeleted(_ name: String) -> Bool { isMarked(withoutNumber(name)) }

  private static func isMarked(_ name: String) -> Bool { name.hasSuffix(HomeLayout.deletedMark) }

  private static func withoutNumber(_ name: String) -> String {
    // An id may have several hyphens side by side.
    name.lastIndex(of: "-").map { String(name[..<$0]) } ?? ""
  }

  /// Sets aside what is, or may be, the folder of the versions of a map; what was recorded of each, and which
  /// were the latest without being the current one, is noted in it: the catalogue forgets the map.
  func setAside(_ url: URL, as name: String, isDeleted: Bool = false) throws(LibraryError) {
    // What cannot be listed now is set aside all the same.
    for (number, version) in (try? layout.versions(in: url, in: files)) ?? [] {
      if files.exists(layout.takenBackMark(of: number, of: name)) {
        // Without it the latest counts as the current one.
        try? files.write(Data(), to: HomeLayout.keptMark(of: number, in: url))
      }
      noteKept(number, at: version, of: name, in: url)
    }
    try move(url, to: layout.keptPlace(of: name, isDeleted: isDeleted))
  }

  private func noteKept(_ number: Int, at version: URL, of name: String, in container: URL) {
    let form = StoredMap.Form(of: version)
    guard let map = layout.notedRecord(of: number, of: name, form, in: files) else { return }
    do {
      try files.write(
        JSONEncoder().encode(map), to: HomeLayout.keptRecord(of: number, in: container),
        permissions: 0o600)
    } catch {
      // Without it the map is listed by its name, and restored as what its files say.
    }
  }

  /// Notes in the folder of the versions of a map that is about to be set aside what their files were when they
  /// were installed: put back, they would count as sound as they are then.
  func noteKeptFiles(of map: StoredMap, in container: URL) async throws(LibraryError) {
    guard layout.isContainer(container) else { return }
    for version in try await storage.versions(of: map.id) where !version.files.isEmpty {
      do {
        try files.write(
          JSONEncoder().encode(version.files),
          to: HomeLayout.keptFiles(of: version.number, in: container), permissions: 0o600)
      } catch {
        // Without it the files count as they are.
      }
    }
  }

  private static let largestList = 1 << 26

  /// What the files of a version that was set aside were when it was installed; `nil` where that was not noted.
  nonisolated func keptFiles(of version: URL) -> [StoredFile]? {
    guard let number = Int(version.deletingPathExtension().lastPathComponent) else { return nil }
    let list = HomeLayout.keptFiles(of: number, in: version.deletingLastPathComponent())
    // What cannot be read, or is none of ours, says nothing: the files count as they are.
    guard let data = try? files.read(list, limit: Self.largestList) else { return nil }
    return try? JSONDecoder().decode([StoredFile].self, from: data)  // Likewise.
  }

  /// What was recorded of a version that was set aside; `nil` where that was not noted.
  nonisolated func keptRecord(of version: URL) -> StoredMap? {
    let container = version.deletingLastPathComponent()
    guard let number = Int(version.deletingPathExtension().lastPathComponent) else { return nil }
    return HomeLayout.record(
      in: HomeLayout.keptRecord(of: number, in: container),
      of: number, of: Self.idName(ofKept: container.lastPathComponent), StoredMap.Form(of: version),
      by: files)
  }

  /// The version of something that was set aside which was the current one, else the latest; itself, if it is no
  /// folder of versions.
  ///
  /// - Throws: ``LibraryError/notKept(_:)``, ``LibraryError/unreadable(file:reason:)``.
  func currentVersion(ofKept name: String) throws(LibraryError) -> URL {
    guard let url = try listKept().first(where: { $0.lastPathComponent == name })
    else { throw .notKept(name) }
    return try currentVersion(in: url)
  }

  private func currentVersion(in url: URL) throws(LibraryError) -> URL {
    guard FileStatus(url)?.kind == .folder else { return url }
    let versions = try layout.versions(in: url, in: files)
    let holdsOnlyVersions = try versions.count == layout.list(url, in: files).count
    guard holdsOnlyVersions, let latest = versions.last else { return url }
    let current = versions.last { !files.exists(HomeLayout.keptMark(of: $0.number, in: url)) }
    return (current ?? latest).url
  }

  /// Stores a version of what was set aside as a map; until then it is where it was.
  func putBack(_ version: URL, as map: StoredMap) async throws(LibraryError) -> StoredMap {
    let locks = try exclusiveLocks(on: [version], of: map)
    defer { for lock in locks { lock.release() } }
    let folder = version.deletingLastPathComponent()
    let restored: StoredMap
    do throws(LibraryError) {
      restored = try await store(version, as: map, knowing: [], wasSetAside: true)
    } catch {
      // It has its place; a folder that stays behind is listed as what it is: empty.
      if case .notRecorded = error { try? await removeKeptFolder(folder) }
      throw error
    }
    await noteDamage(ofRestored: restored)
    try await removeKeptFolder(folder)
    return restored
  }

  /// Notes for the list of maps what is still wrong with a map that was put back.
  private func noteDamage(ofRestored map: StoredMap) async {
    // The next audit finds what cannot be looked at now.
    guard let damage = try? await damage(of: map) else { return }
    noteDamage(
      .damaged(map: map, reason: damage.reason, mayHoldEdits: damage.mayHoldEdits),
      FaultsByDepth(quick: damage.faults), of: map, at: .quick)
  }

  /// Removes a folder of versions that were set aside, once none is left in it.
  private func removeKeptFolder(_ folder: URL) async throws(LibraryError) {
    guard folder.standardizedFileURL != layout.folder(.kept).standardizedFileURL else { return }
    let lock = try await lockHome()
    defer { lock.release() }
    guard try layout.list(folder, in: files).isEmpty else { return }
    // One that stays is listed as what it is: empty.
    try? remove(folder)
  }
}
