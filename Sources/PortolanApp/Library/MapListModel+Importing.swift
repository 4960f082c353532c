public import Foundation
internal import PortolanJSON
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPackages

extension MapListModel {
  /// Brings a mobile map package of this device into the library: a copy of it, which is checked
  /// before it appears on the list.
  ///
  /// The original is only read, and read once: its digest is computed, and what is in it is checked,
  /// while the copy is written. An archive that holds edits which were not sent, or may hold some, is
  /// stored as the folder of an unpacked package: there they are counted, and can be sent.
  ///
  /// - Parameters:
  ///   - url: A file whose name ends in `.mmpk`, in any letters, or the folder of an unpacked package.
  ///   - policy: What to do where the package is there already: one with its id, else, where one of
  ///     them has no id or both are of files of the same name, one with its title; else, where they
  ///     have neither, with the name of its file.
  /// - Returns: The outcome.
  /// - Throws: A problem that says what is wrong with it; nothing was imported then.
  public func importPackage(
    _ url: URL, onConflict policy: ImportConflictPolicy = .skip
  ) async throws(Problem) -> PackageImport {
    do {
      let imported = try await bringIn(try PackageSource(url), policy)
      state.imported = imported
      return imported
    } catch {
      throw Problem(error)
    }
  }

  private func bringIn(
    _ source: PackageSource, _ policy: ImportConflictPolicy
  ) async throws -> PackageImport {
    try await check(source)
    try await checkRoom(for: source)
    // Damage is reported while the package is copied.
    let info = try? await library.packages.openToInspect(source.url).info
    if policy == .skip, let (before, isWhole) = try await storedWhole(as: source, info), isWhole {
      return Self.skipped(before)
    }
    let job = HomeLayout.importJob(library.offline.surroundings.makeID())
    let copy = try await library.maps.stageCopy(
      of: source.url, for: job, inspection: library.offline.inspection)
    // Its folder counts as abandoned without it.
    defer { withExtendedLifetime(copy) {} }
    let result: Result<PackageImport, any Error>
    do { result = .success(try await adopt(copy, source, policy)) } catch {
      result = .failure(error)
    }
    // Files that stay behind are found by the audit, and do not affect the imported map.
    try? await library.maps.removeStaged(job)
    let imported = try result.get()
    await showImported()
    return imported
  }

  /// Shows what was imported, also where the task was cancelled once it was stored, which is too late.
  private func showImported() async {
    // A list that cannot be read now does not mean that nothing was imported.
    _ = await Task { try? await self.load() }.value
  }

  /// The map that the package was imported as before, and whether its files are there.
  private func storedWhole(
    as source: PackageSource, _ info: PackageInfo?
  ) async throws -> (StoredMap, isWhole: Bool)? {
    guard let info, let before = await stored(as: source, info) else { return nil }
    return (before, try await isSound(before))
  }

  /// Whether the files of a map are there, and are those that it was stored with, or edited since.
  private func isSound(_ map: StoredMap) async throws(LibraryError) -> Bool {
    guard try await library.maps.isWhole(map) else { return false }
    do throws(LibraryError) { return try await library.maps.damage(of: map) == nil } catch {
      switch error {
      // A file that cannot be read now may be sound.
      case .unreadable, .beingWritten: return true
      default: throw error
      }
    }
  }

  private static func skipped(_ before: StoredMap) -> PackageImport {
    PackageImport(
      outcome: .skipped, id: before.id.text, title: before.title, byteCount: 0, warnings: [],
      isComplete: true)
  }

  /// The map that the package was imported as before.
  private func stored(as source: PackageSource, _ info: PackageInfo) async -> StoredMap? {
    await readContents()
    let imports = list.stored.filter(\.isImported)
    let id = info.guid?.lowercased()
    let same = imports.filter { id != nil && packageID(of: $0) == id }
    if let map = same.first(where: { $0.title == info.title }) ?? same.first { return map }
    let hasTitle = info.json.text("title")?.isEmpty == false
    guard !hasTitle else {
      return imports.first { map in
        (map.title == info.title || list.contents[map.id.text]?.contents.title == info.title)
          && (id == nil || packageID(of: map) == nil || isNamed(map, as: source))
      }
    }
    return info.guid == nil ? stored(like: source) : nil
  }

  private func packageID(of map: StoredMap) -> String? {
    list.contents[map.id.text]?.contents.packageID
  }

  /// The map that was imported from a file or folder of the same name.
  private func stored(like source: PackageSource) -> StoredMap? {
    list.stored.first { isNamed($0, as: source) }
  }

  /// Whether a map was imported from a file or folder of the same name, case aside.
  private func isNamed(_ map: StoredMap, as source: PackageSource) -> Bool {
    guard case .imported(let name) = map.origin else { return false }
    return name.lowercased() == source.name.lowercased()
  }

  /// Whether a map on the list was made from a package of the same name, size and date.
  func holds(_ source: PackageSource) -> Bool {
    list.stored.contains { map in
      // An unpacked map has another size than its archive.
      guard isNamed(map, as: source),
        map.form != source.form || map.byteCount == source.byteCount
      else { return false }
      // Records of older Portolans do not know the date.
      guard let modified = map.sourceModified else { return map.form == source.form }
      return abs(modified.timeIntervalSince(source.modified)) < 0.001
    }
  }

  /// Looks whether it is a package before anything of it is copied: any file may have its name, and
  /// any folder may be named by mistake.
  private func check(_ source: PackageSource) async throws {
    try await source.checkIsPackage()
    guard source.form == .folder else { return }
    do { _ = try await library.packages.open(source.url) } catch PackageError.notAPackage {
      throw source.isNone
    }
  }

  private func checkRoom(for source: PackageSource) async throws(Problem) {
    guard missingBytes(for: source) > 0 else { return }
    // The versions before updates are kept until their space is needed.
    do { try await library.maps.reclaimSpace() } catch { throw Problem(error) }
    let missing = missingBytes(for: source)
    guard missing > 0 else { return }
    throw Problem(
      .diskFull,
      message: "There is not enough free space for \"\(source.name)\": "
        + "it needs \(ByteCount.text(missing)) more.",
      suggestion: "Delete maps that you do not need, and empty the trash.",
      actions: [.init(.freeSpace)])
  }

  /// The number of bytes that a copy of a package needs beyond those that are free.
  private func missingBytes(for source: PackageSource) -> Int {
    let free = library.offline.surroundings.freeSpace(library.maps.layout.home)
    return free.map { source.byteCount - $0 } ?? 0
  }

  /// Looks whether a copy is sound, and puts it on the list.
  private func adopt(
    _ copy: StagedCopy, _ source: PackageSource, _ policy: ImportConflictPolicy
  ) async throws -> PackageImport {
    let twin = policy == .rename ? nil : try await storedMap(with: copy)
    if let twin, try await !isToBeUnpacked(twin, copy, policy) { return Self.same(twin) }
    if !copy.isInspected { _ = try await library.offline.check(copy.url) }
    let package = try await library.packages.open(copy.url)
    let failures = try await failures(of: package, source)
    let edits = try await ArchivedEdits(in: package)
    let stored = edits == nil ? copy : try await unpack(copy, of: source)
    let turn = try await library.maps.holdTitles()
    defer { turn.release() }
    // Another import may have added the same meanwhile.
    try await load()
    let same = try await storedMap(with: stored)
    if let same, policy != .rename { return Self.same(same) }
    // The copied package counts: another one may have taken the place of the one that was examined.
    let before = try await storedWhole(as: source, package.info)
    if policy == .skip, let (before, isWhole) = before, isWhole { return Self.skipped(before) }
    // Of one that would be skipped the files are missing or cut.
    let replaced = policy == .rename ? nil : twin.map { ($0, isWhole: true) } ?? before
    let map = try await newMap(
      package.info, of: source, as: edits == nil ? source.form : .folder, stored.byteCount,
      replacing: replaced?.0)
    do {
      // Of the same archive its edits come along.
      if let replaced, twin == nil {
        _ = try await archivedEdits(of: replaced.0.id, discarding: false)
      }
      try await library.maps.install(stored.url, as: map, knowing: stored.files)
    } catch {
      // Edits of the map that it would replace may have a way out.
      throw await problem(error, with: map.id.text, afterExport: .delete)
    }
    return PackageImport(
      outcome: replaced?.isWhole == true ? .replaced : .stored, id: map.id.text, title: map.title,
      byteCount: map.byteCount,
      warnings: Self.warnings(of: same) + package.warnings + failures
        + (edits.map { [$0.sentence] } ?? []),
      isComplete: failures.isEmpty)
  }

  /// Whether a package is here as an archive, as an older Portolan has stored it, and holds edits, for which
  /// it takes its own place unpacked.
  private func isToBeUnpacked(
    _ map: StoredMap, _ copy: StagedCopy, _ policy: ImportConflictPolicy
  ) async throws -> Bool {
    guard policy == .replace, map.isImported, map.form == .file else { return false }
    // A package that cannot be opened stays as it is.
    guard let package = try? await library.packages.openToInspect(copy.url) else { return false }
    return try await ArchivedEdits(in: package) != nil
  }

  private static func same(_ map: StoredMap) -> PackageImport {
    PackageImport(
      outcome: .same, id: map.id.text, title: map.title, byteCount: 0, warnings: [],
      isComplete: true)
  }

  /// The parts of a package that cannot be read; a package without a readable part is refused.
  private func failures(
    of package: MobileMapPackage, _ source: PackageSource
  ) async throws(Problem) -> [String] {
    guard !package.maps.isEmpty else {
      throw source.refusal(PackageReadability.refusal(of: package, named: source.name))
    }
    let readability = await PackageReadability(of: package)
    guard readability.hasReadableLayers else {
      throw source.refusal(readability.refusal(named: source.name))
    }
    return readability.failures
  }

  /// The record of an imported package.
  private func newMap(
    _ info: PackageInfo, of source: PackageSource, as form: StoredMap.Form, _ byteCount: Int,
    replacing before: StoredMap?
  ) async throws -> StoredMap {
    let surroundings = library.offline.surroundings
    guard let id = before?.id ?? MapID(surroundings.makeID().uuidString.lowercased()) else {
      throw CancellationError()
    }
    let title = try await library.takenTitles(besides: before?.id.text).free(like: info.title)
    return StoredMap(
      id: id, origin: .imported(source.name), form: form, title: title, summary: info.summary,
      portal: before?.portal,
      installed: surroundings.now(), sourceModified: source.modified, byteCount: byteCount)
  }

  /// Unpacks a copy that holds edits.
  private func unpack(_ copy: StagedCopy, of source: PackageSource) async throws -> StagedCopy {
    do { return try await unpacked(copy) } catch PackageUnpackerError.noSpace {
      // The versions before updates are kept until their space is needed.
      try await library.maps.reclaimSpace()
    }
    do { return try await unpacked(copy) } catch PackageUnpackerError.noSpace(
      _, let needed, let available)
    {
      throw Problem(
        .diskFull,
        message: "There is not enough free space for \"\(source.name)\": it holds edits that were "
          + "not sent, or may hold some, and has to be unpacked. That takes "
          + "\(ByteCount.text(needed)); \(ByteCount.text(available)) are free.",
        suggestion: "Delete maps that you do not need, and empty the trash.",
        actions: [.init(.freeSpace)])
    }
  }

  private func unpacked(_ copy: StagedCopy) async throws -> StagedCopy {
    let unpacker = PackageUnpacker(freeSpace: library.offline.surroundings.freeSpace)
    return try await library.maps.unpackCopy(copy) { archive, folder in
      _ = try await unpacker.unpack(archive, to: folder, includingHidden: false)
    }
  }

  /// Warnings about a package that is stored twice now.
  private static func warnings(of same: StoredMap?) -> [String] {
    same.map { ["The same package is on this device already, as \"\($0.title)\"."] } ?? []
  }

  /// The stored map whose current version is the same, byte by byte.
  private func storedMap(with copy: StagedCopy) async throws -> StoredMap? {
    let digests = Set(copy.files.map { "\($0.path) \($0.digest?.base64EncodedString() ?? "")" })
    for map in list.stored where map.byteCount == copy.byteCount {
      let version = try await library.storage.versions(of: map.id)
        .first { $0.number == map.version }
      let files = (version?.files ?? []).filter { $0.digest != nil }
      let theirs = Set(files.map { "\($0.path) \($0.digest?.base64EncodedString() ?? "")" })
      if !theirs.isEmpty, theirs == digests, try await isSound(map) { return map }
    }
    return nil
  }
}
