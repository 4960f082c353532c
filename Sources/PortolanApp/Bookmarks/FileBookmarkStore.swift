public import Foundation
internal import PortolanFiles

/// Keeps people's own bookmarks in a folder, a file for each map.
///
/// A damaged file is reported and never overwritten: it may still be recovered.
public struct FileBookmarkStore: BookmarkStore {
  private let folder: URL
  private let clock: any Clock<Duration>
  private let prepare: @Sendable () throws -> Void

  /// No file is longer, in bytes.
  private static let maximumLength = 4 << 20

  /// Keeps bookmarks in a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - clock: Measures how long another process that writes is waited for.
  ///   - prepare: Makes the folder when the first bookmark is kept.
  public init(
    in folder: URL, clock: any Clock<Duration> = ContinuousClock(),
    preparedBy prepare: @escaping @Sendable () throws -> Void
  ) {
    self.folder = folder
    self.clock = clock
    self.prepare = prepare
  }

  @concurrent public func bookmarks(of map: String) async throws(Problem) -> [UserBookmark] {
    try document(of: map)[map] ?? []
  }

  @concurrent public func add(
    _ bookmark: UserBookmark, to map: String
  ) async throws(Problem) -> [UserBookmark] {
    try await change(map) { $0 + [bookmark] }
  }

  @concurrent public func remove(
    _ bookmark: UserBookmark, from map: String
  ) async throws(Problem) -> [UserBookmark] {
    try await change(map) { kept in kept.filter { $0 != bookmark } }
  }

  /// Changes the bookmarks of a map while no other process does.
  @concurrent private func change(
    _ map: String, _ changed: @Sendable ([UserBookmark]) -> [UserBookmark]
  ) async throws(Problem) -> [UserBookmark] {
    let lock: FileLock?
    do { try prepare() } catch {
      var problem = Problem(error)
      problem.suggestion =
        problem.suggestion ?? "Check that you may write there and that the disk has free space."
      throw problem
    }
    do {
      lock = try await FileLock.attempt(
        .exclusive, on: .lockFile(folder.appending(path: ".lock")), patientlyBy: clock)
    } catch {
      throw Problem(error)
    }
    guard let lock else {
      throw Problem(
        .inUse, message: "Another process is changing the bookmarks.", suggestion: "Try again.",
        actions: [.init(.retry)])
    }
    defer { lock.release() }
    var document = try document(of: map)
    let bookmarks = changed(document[map] ?? [])
    document[map] = bookmarks
    do {
      let data = try JSONEncoder().encode(document)
      guard data.count <= Self.maximumLength else { throw Self.isFull }
      try FileSystem.live.write(data, to: place(of: map), permissions: 0o600)
    } catch {
      throw Problem(error)
    }
    return bookmarks
  }

  /// The content of a map's file; it may hold the bookmarks of another map, too.
  private func document(of map: String) throws(Problem) -> [String: [UserBookmark]] {
    let file = place(of: map)
    let data: Data
    do { data = try FileSystem.live.read(file, limit: Self.maximumLength) } catch {
      if case .absent = error { return [:] }
      throw Problem(error)
    }
    do { return try JSONDecoder().decode([String: [UserBookmark]].self, from: data) } catch {
      throw Problem(
        .damaged, message: "The bookmarks in \(file.path(percentEncoded: false)) cannot be read.",
        suggestion: "Move the file away to begin without bookmarks of your own.")
    }
  }

  /// The reason why bookmarks are not written: the file would be too long to be read again.
  private static let isFull = Problem(
    .notPossible, message: "The file with the bookmarks of this map cannot hold any more.",
    suggestion: "Remove some bookmarks, or choose a shorter name.")

  private func place(of map: String) -> URL { folder.appending(documentNamedAfter: map) }
}
