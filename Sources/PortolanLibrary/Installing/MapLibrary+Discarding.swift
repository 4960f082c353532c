internal import Foundation
internal import PortolanFiles

// What a job has left that is cancelled.
extension MapLibrary {
  /// Removes the files of a cancelled job.
  ///
  /// If they hold the last copy of unsent edits, as when the disk has lost the version that they
  /// were copied from, they are set aside instead.
  public func discardStaged(_ job: String) async throws(LibraryError) {
    // A process may have died while it copied what the job starts from, which is still where it was.
    let (draft, staging) = (layout.draft(of: job), layout.staging(job))
    if files.exists(draft) { try remove(draft) }
    guard files.exists(staging) else { return }
    guard let map = try await mapOfLastCopy(in: staging) else { return try remove(staging) }
    try move(staging, to: layout.keptPlace(of: map.text))
  }

  /// The map of which a job has edits that no version of it has any more, or none that can be read; `nil`
  /// if there are none.
  private func mapOfLastCopy(in staging: URL) async throws(LibraryError) -> MapID? {
    let carried = try CarriedGeodatabases.read(in: staging, by: files)
    // In a home of an older Portolan a version has no number by which it is found.
    guard let carried, carried.version > 0, let map = carried.map else { return nil }
    let trash = layout.folder(.trash).appending(path: map.text, directoryHint: .isDirectory)
    // Those before it never had what was edited in it.
    let places = try (versions(of: map) + layout.versions(in: trash, in: files))
      .filter { $0.number >= carried.version }.map(\.url)
    for path in carried.paths(in: staging) {
      let sources = places.map { StoredFile.url(of: path, in: $0) }.filter(files.exists)
      if try await isReadable(oneOf: sources) { continue }
      let count = try await edits(in: StoredFile.url(of: path, in: staging))
      // A copy that cannot be read is no better than what it was made of.
      if let count, count > 0 { return map }
      if count == nil, sources.isEmpty { return map }
    }
    return nil
  }

  /// Whether one of some databases can be read.
  private func isReadable(oneOf databases: [URL]) async throws(LibraryError) -> Bool {
    for database in databases {
      let count = try await edits(in: database)
      if count != nil { return true }
    }
    return false
  }

  /// The edits in a database that were not sent; `nil` where they cannot be counted.
  private func edits(in database: URL) async throws(LibraryError) -> Int? {
    do { return try await unsentEdits(database) } catch {
      guard !(error is CancellationError) else { throw .cancelled }
      return nil
    }
  }
}
