package import Foundation
internal import PortolanFiles

/// The geodatabases that a job has taken over from the current version of a map, with the state that
/// each was in; kept in the folder of the job.
///
/// Installing the result of the job compares them with their state then: edits that were
/// made meanwhile are taken over too.
struct CarriedGeodatabases: Sendable, Codable {
  struct Geodatabase: Sendable, Codable {
    /// The state of the source before it was copied.
    let source: GeodatabaseState
    /// The copy, which distinguishes it from one that was downloaded since.
    let copy: FileIdentity
    let byteCount: Int
    let modified: Int64
    /// Other versions that have, or had, the same database; `nil` in records from before they were noted.
    fileprivate(set) var sharers: [Int]?
  }

  private static let fileName = ".portolan-carried.json"
  /// The folder in the folder of a job in which copies are made, from where they take their places.
  private static let draftName = ".portolan-carrying"

  /// The version that they come from.
  var version: Int
  /// The map; `nil` in records from before it was noted.
  var map: MapID?
  /// By path.
  private(set) var geodatabases: [String: Geodatabase] = [:]
  /// Those that are about to be taken over in place of what was taken over before, by path.
  ///
  /// After a crash the file that is there is one or the other.
  private var upcoming: [String: Geodatabase]?

  init(version: Int) { self.version = version }

  /// Reads what a job has taken over; `nil` if it has taken nothing over, or it cannot be read.
  init?(in folder: URL) {
    // Then nothing counts as taken over, and edits keep the job from replacing the map.
    do {
      let data = try Data(contentsOf: folder.appending(path: Self.fileName))
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch {
      return nil
    }
    completeUpcoming(in: folder)
  }

  /// Takes what a process that died was taking over for what it has become: the next one that is taken
  /// over would be noted in its place.
  private mutating func completeUpcoming(in folder: URL) {
    for path in (upcoming ?? [:]).keys {
      guard let there = geodatabase(at: path, in: folder) else { continue }
      geodatabases[path] = there
      upcoming?[path] = nil
    }
  }

  /// The most bytes that the list of them has.
  private static let largestList = 1 << 26

  /// Reads what a job has taken over; `nil` if it has taken nothing over, or that was written by another
  /// program.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` where that is unknown: what was taken over would
  ///   pass for what was downloaded, though it may have changed in the version before.
  static func read(
    in folder: URL, by files: FileSystem
  ) throws(LibraryError) -> CarriedGeodatabases? {
    let data: Data
    do { data = try files.read(folder.appending(path: fileName), limit: largestList) } catch .absent
    {
      return nil
    } catch {
      throw LibraryError(reading: error)
    }
    // As said above.
    var carried = try? JSONDecoder().decode(Self.self, from: data)
    carried?.completeUpcoming(in: folder)
    return carried
  }

  /// Notes which other versions have the same database, since those between them may go.
  mutating func note(sharers: [Int], of path: String) { geodatabases[path]?.sharers = sharers }

  /// Counts some of them as those of another version, from which they were taken over again, and forgets
  /// all others.
  mutating func move(to version: Int, keeping paths: Set<String>) {
    self.version = version
    geodatabases = geodatabases.filter { paths.contains($0.key) }
  }

  func write(to folder: URL) throws(LibraryError) {
    let file = folder.appending(path: Self.fileName)
    let data: Data
    do { data = try JSONEncoder().encode(self) } catch {
      throw .unwritable(
        file: file.path(percentEncoded: false), reason: error.plainReason)
    }
    do { try FileSystem.live.write(data, to: file) } catch { throw LibraryError(error) }
  }

  /// The geodatabase that was taken over to a path, if it is still what is there.
  func geodatabase(at path: String, in folder: URL) -> Geodatabase? {
    guard let status = FileStatus(StoredFile.url(of: path, in: folder)) else { return nil }
    let same = [geodatabases[path], upcoming?[path]].compactMap(\.self).filter {
      status.byteCount == $0.byteCount && status.modified == $0.modified
    }
    // Its disk may have another number since, as after a restart, and so may the file, as in a home that
    // was copied, or on disks that number a file anew each time.
    return same.first { $0.copy.number == status.identity.number } ?? same.first
  }

  /// The paths of the geodatabases that are still what was taken over.
  func paths(in folder: URL) -> [String] {
    geodatabases.keys.filter { geodatabase(at: $0, in: folder) != nil }.sorted()
  }

  /// Whether the file at a path began as what was taken over, whatever was written into it since.
  func isCopy(at path: String, in folder: URL) -> Bool {
    guard let status = FileStatus(StoredFile.url(of: path, in: folder)) else { return false }
    return [geodatabases[path], upcoming?[path]].contains {
      $0?.copy.number == status.identity.number
    }
  }

  /// Copies a geodatabase, with what is kept beside it, and remembers it.
  ///
  /// A process that dies meanwhile leaves the copy that was there before, whole and recorded, or the
  /// new one.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - version: Where it is copied from.
  ///   - folder: The folder of the job.
  ///   - isMerged: Called when all that was committed is in its file, before that is copied.
  /// - Throws: ``LibraryError/beingWritten(file:by:)`` while another program writes to it,
  ///   ``LibraryError/unreadable(file:reason:)`` if its journal cannot be merged into it; ``LibraryError/damaged(file:reason:)`` if it, or its journal, is
  ///   damaged.
  mutating func carry(
    _ path: String, from version: URL, to folder: URL, isMerged: () -> Void = {}
  ) throws(LibraryError) {
    let (source, target) = (
      StoredFile.url(of: path, in: version), StoredFile.url(of: path, in: folder)
    )
    let draft = folder.appending(path: Self.draftName, directoryHint: .isDirectory)
    let (state, names) = try Self.copyMerged(source, to: draft, isMerged)
    let copy = draft.appending(path: source.lastPathComponent)
    guard let status = FileStatus(copy) else {
      throw .unwritable(file: copy.path(percentEncoded: false), reason: "the copy is gone")
    }
    let carried = Geodatabase(
      source: state, copy: status.identity, byteCount: status.byteCount, modified: status.modified,
      sharers: geodatabases[path]?.sharers)
    upcoming = [path: carried]
    try write(to: folder)
    try Self.place(names, of: draft, beside: target)
    geodatabases[path] = carried
    upcoming = nil
    try Self.removeDraft(in: folder)
  }

  /// Moves copies to their places, the geodatabase last: its contents count from then on.
  private static func place(
    _ names: [String], of draft: URL, beside target: URL
  ) throws(LibraryError) {
    let folder = target.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for name in names.filter({ $0 != target.lastPathComponent }) + [target.lastPathComponent] {
        try FileSystem.live.rename(draft.appending(path: name), to: folder.appending(path: name))
      }
    } catch let error as FileError {
      throw LibraryError(error)
    } catch {
      throw .unwritable(file: target.path(percentEncoded: false), reason: error.plainReason)
    }
  }

  /// Removes the copies that a process was making when it died.
  static func removeDraft(in folder: URL) throws(LibraryError) {
    try erase(folder.appending(path: draftName, directoryHint: .isDirectory))
  }

  static func erase(_ url: URL) throws(LibraryError) {
    guard FileStatus(url) != nil else { return }
    do { try FileSystem.live.erase(url) } catch { throw LibraryError(error) }
  }

  /// Forgets what was taken over; the geodatabases stay.
  static func forget(in folder: URL) throws(LibraryError) {
    try erase(folder.appending(path: fileName))
  }

  /// Whether a path in the folder of a job is that of a copy that is being made.
  static func isDraft(_ path: ArraySlice<String>) -> Bool { path.contains(draftName) }

  static func isJournal(_ name: String) -> Bool {
    StoredFile.journalSuffixes.contains(where: name.hasSuffix)
  }
}

extension HomeLayout {
  /// Whether a file of a job was copied from the version before, or is being copied; a journal is what its
  /// database is.
  package func isCarried(_ url: URL) -> Bool {
    let components = url.standardizedFileURL.pathComponents
      .dropFirst(folder(.staging).standardizedFileURL.pathComponents.count)
    guard let job = components.first else { return false }
    guard !isDraft(job), !CarriedGeodatabases.isDraft(components) else { return true }
    let folder = staging(job)
    let database = StoredFile.databaseName(of: components.dropFirst().joined(separator: "/"))
    return CarriedGeodatabases(in: folder)?.geodatabase(at: database, in: folder) != nil
  }
}
