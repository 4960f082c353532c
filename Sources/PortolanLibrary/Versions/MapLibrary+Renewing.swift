internal import Foundation
internal import PortolanFiles

// A job may have begun with a version that is not the current one any more: an update was taken back, or
// another one was stored, while it was paused or at work.
extension MapLibrary {
  /// Takes the databases over anew that a job has from a version which is not the current one any more.
  ///
  /// What the job has would count as the same copy of a service: what was sent since would be sent again,
  /// and what came from there since would never come again.
  ///
  /// - Parameters:
  ///   - staged: The folder of the job.
  ///   - current: The current version, which is not being edited.
  /// - Returns: What the job has from the current version; `nil` if that is nothing. And whether anything
  ///   was taken over anew.
  /// - Throws: ``LibraryError/editsUnknown(map:reason:)`` for a database that cannot be read,
  ///   ``LibraryError/unreadable(file:reason:)``, and what copying throws; the job has what it had then.
  func renewCarried(
    in staged: URL, for current: MapVersion
  ) async throws(LibraryError) -> (carried: CarriedGeodatabases?, isNew: Bool) {
    guard var carried = try CarriedGeodatabases.read(in: staged, by: files) else {
      return (nil, false)
    }
    guard carried.version != current.number else { return (carried, false) }
    let shared = try await sharedPaths(of: carried, in: staged, with: current)
    let (place, before) = (
      layout.place(of: current.map), self.place(of: carried.version, like: current)
    )
    var isNew = false
    for path in carried.paths(in: staged) {
      let version = shared.contains(path) ? place : before
      let source = StoredFile.url(of: path, in: version)
      // That of a version which is gone is the last copy, whatever is in it.
      guard FileStatus(source)?.kind == .file else { continue }
      let known = carried.geodatabase(at: path, in: staged)?.source
      if !shared.contains(path), try GeodatabaseState(of: source).isUnchanged(since: known) {
        continue
      }
      _ = try await countEdits(of: current.map, at: source)
      try carried.carry(path, from: version, to: staged)
      isNew = true
    }
    if !shared.isEmpty { carried.move(to: current.number, keeping: shared) }
    if isNew { try carried.write(to: staged) }
    return (carried.version == current.number ? carried : nil, isNew)
  }

  /// The paths of what a job has taken over that is the same database in the current version.
  private func sharedPaths(
    of carried: CarriedGeodatabases, in staged: URL, with current: MapVersion
  ) async throws(LibraryError) -> Set<String> {
    let versions = try await storage.versions(of: current.map.id)
    let place = layout.place(of: current.map)
    // Of an older home the version has got its number since.
    let isSame = self.place(of: carried.version, like: current).plainPath == place.plainPath
    let paths = carried.paths(in: staged).filter { path in
      guard FileStatus(StoredFile.url(of: path, in: place))?.kind == .file else { return false }
      guard !isSame else { return true }
      let noted = carried.geodatabase(at: path, in: staged)?.sharers
      let own = noted ?? sharers(of: path, in: carried.version, versions)
      let others = sharers(of: path, in: current.number, versions)
      return !Set(own + [carried.version]).isDisjoint(with: others + [current.number])
    }
    return Set(paths)
  }

  /// Where another version of a map is, or was, that is a folder.
  private func place(of number: Int, like version: MapVersion) -> URL {
    var map = version.map
    (map.version, map.form) = (number, .folder)
    return layout.place(of: map)
  }

  /// The versions from which another one has a database, be it through those between them.
  func sharers(of path: String, in number: Int, _ versions: [MapVersion]) -> [Int] {
    var found: [Int] = []
    var last = number
    while let version = versions.first(where: { $0.number == last }) {
      let place = layout.place(of: version.map)
      guard let carried = CarriedGeodatabases(in: place),
        Self.shared(carried, by: version, from: carried.version, in: place).contains(path),
        carried.version != number, !found.contains(carried.version)
      else { break }
      last = carried.version
      found.append(last)
    }
    return found
  }
}
