internal import Foundation
internal import PortolanFiles

// What a version that is restored takes over from the one that was used meanwhile.
extension MapLibrary {
  /// Puts the databases that two versions share into the one that is to be used, as the other has them.
  ///
  /// Both would count as the same copy of a service. One that is behind would send edits again that the
  /// other has sent and changed since, and would never get what the other has sent.
  ///
  /// A process that dies meanwhile leaves each database as it was or as it is to be, in a version that is
  /// not the current one.
  ///
  /// - Parameters:
  ///   - current: The version that was used; it holds no edits that the other lacks, and is not
  ///     being edited.
  ///   - earlier: The version that is to be used.
  /// - Throws: ``LibraryError/inUse(map:by:)`` if that version is open elsewhere, and what copying
  ///   throws.
  func bringAlong(
    _ current: MapVersion, into earlier: MapVersion
  ) async throws(LibraryError) {
    let (source, target) = (layout.place(of: current.map), layout.place(of: earlier.map))
    let paths = try changedPaths(sharedBy: current, earlier)
    guard !paths.isEmpty else { return }
    let locks = try exclusiveLocks(on: [target], of: earlier.map)
    defer { for lock in locks { lock.release() } }
    // Before the first one changes: what differs from what was installed is then no damage.
    try await storage.markEdited(earlier.number, of: earlier.map.id)
    // What went along before stays noted.
    var carried =
      Self.carried(from: current, in: target) ?? CarriedGeodatabases(version: current.number)
    for path in paths {
      try mergeJournal(of: StoredFile.url(of: path, in: target))
      try carried.carry(path, from: source, to: target)
    }
    try carried.write(to: target)
    try sync(target)
  }

  /// The paths of the databases that one version has taken over from the other and that differ since.
  ///
  /// One that another program has changed in the version that is to be used holds edits of its own, and
  /// stays.
  private func changedPaths(
    sharedBy current: MapVersion, _ earlier: MapVersion
  ) throws(LibraryError) -> [String] {
    let (source, target) = (layout.place(of: current.map), layout.place(of: earlier.map))
    guard files.exists(source), files.exists(target) else { return [] }
    let taken = Self.carried(from: earlier, in: source)
    let brought = Self.carried(from: current, in: target)
    let shared = Set(
      Self.shared(taken, by: current, from: earlier.number, in: source)
        + Self.shared(brought, by: earlier, from: current.number, in: target))
    var paths: [String] = []
    for path in shared.sorted() {
      let (from, to) = (StoredFile.url(of: path, in: source), StoredFile.url(of: path, in: target))
      guard files.exists(from), files.exists(to) else { continue }
      let (now, before) = (try GeodatabaseState(of: from), try GeodatabaseState(of: to))
      let isSame =
        before.isUnchanged(since: taken?.geodatabase(at: path, in: source)?.source)
        || now.isUnchanged(since: brought?.geodatabase(at: path, in: target)?.source)
      // What was copied by a process that died before it was done is as it was copied. A catalogue that was
      // made anew does not know what had settled; what was copied from it then is in the other.
      let isSettled =
        before.isUnchanged(since: earlier.settled[path])
        || before.isUnchanged(since: taken?.geodatabases[path]?.source)
        || brought?.geodatabase(at: path, in: target) != nil
      guard !isSame, isSettled else { continue }
      paths.append(path)
    }
    return paths
  }

  /// The paths of the databases that a version shares with another one: those that an update took
  /// over instead of downloading them, or that a rollback took back.
  static func shared(
    _ carried: CarriedGeodatabases?, by version: MapVersion, from other: Int, in place: URL
  ) -> [String] {
    guard let carried else { return [] }
    guard version.number > other else { return Array(carried.geodatabases.keys) }
    return carried.geodatabases.keys.filter {
      version.carried?.contains($0) ?? carried.isCopy(at: $0, in: place)
    }
  }

  /// What a version has taken over from another one; `nil` if it has nothing of it.
  private static func carried(from version: MapVersion, in place: URL) -> CarriedGeodatabases? {
    CarriedGeodatabases(in: place).flatMap { $0.version == version.number ? $0 : nil }
  }

  /// Writes what a journal says into its database, beside which another one's copy could not exist.
  private func mergeJournal(of database: URL) throws(LibraryError) {
    try CarriedGeodatabases.mergeJournal(of: database)
    guard try !GeodatabaseState(of: database).hasJournal else {
      throw CarriedGeodatabases.isWritten(database)
    }
  }
}
