internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

// Copies of geodatabases that other programs may write to meanwhile.
extension CarriedGeodatabases {
  /// How often a copy is begun again because the geodatabase was written to meanwhile.
  private static let mostCopies = 5

  /// Copies a geodatabase, with what is kept beside it, as it was when all that was committed was in its file.
  ///
  /// What another program commits before the copy has its lock may be written into the file while that is copied: of
  /// one transaction a part would be in the copy, and a part not.
  ///
  /// - Returns: The state that was copied, and the names of the files.
  static func copyMerged(
    _ source: URL, to draft: URL, _ isMerged: () -> Void
  ) throws(LibraryError) -> (state: GeodatabaseState, names: [String]) {
    let folder = source.deletingLastPathComponent()
    for _ in 1...mostCopies {
      let state = try mergedState(of: source)
      isMerged()
      let names = try GeodatabaseState.companions(of: source).filter { !isJournal($0) }
      try erase(draft)
      do throws(LibraryError) {
        for name in names {
          let isDatabase = name == source.lastPathComponent
          try copy(folder.appending(path: name), to: draft.appending(path: name)) {
            guard isDatabase else { return }
            guard try GeodatabaseState(of: source).isUnchanged(since: state) else {
              throw isWritten(source)
            }
          }
        }
        return (state, names)
      } catch {
        guard error == isWritten(source) else { throw error }
      }
    }
    throw isWritten(source)
  }

  /// Copies a geodatabase that is damaged as it is, with its journals and whatever else is kept beside it.
  static func copyDamaged(
    _ path: String, from version: URL, to folder: URL
  ) throws(LibraryError) {
    let source = StoredFile.url(of: path, in: version)
    let target = StoredFile.url(of: path, in: folder).deletingLastPathComponent()
    for name in try GeodatabaseState.companions(of: source) where !name.hasSuffix("-shm") {
      try copy(
        source.deletingLastPathComponent().appending(path: name), to: target.appending(path: name))
    }
  }

  /// What a geodatabase is once all that was committed is in its file, be its journal still there.
  private static func mergedState(of source: URL) throws(LibraryError) -> GeodatabaseState {
    // A reader that closes meanwhile may have SQLite write the same pages again.
    for _ in 1...3 {
      try mergeJournal(of: source)
      let state = try GeodatabaseState(of: source)
      guard state.hasJournal else { return state }
      // A reader keeps it. What another program has committed since is not in the file that is copied.
      try mergeJournal(of: source)
      if try GeodatabaseState(of: source).isUnchanged(since: state) { return state }
    }
    throw isWritten(source)
  }

  /// Applies the journals beside a database, and rolls back what was interrupted.
  static func mergeJournal(of source: URL) throws(LibraryError) {
    let hasJournal = try GeodatabaseState.companions(of: source).contains { name in
      isJournal(name) && name.hasPrefix(source.lastPathComponent + "-")
        && FileStatus(source.deletingLastPathComponent().appending(path: name))?.byteCount ?? 0 > 0
    }
    guard hasJournal else { return }
    do {
      let connection = try Connection(at: source, access: .edit)
      if try isMerged("PASSIVE", connection) {
        // A reader may keep the journal, which says nothing more than the file then.
        _ = try connection.waiting(atMost: .zero) { connection throws(DatabaseError) in
          try isMerged("TRUNCATE", connection)
        }
      } else if try !isMerged("TRUNCATE", connection) {
        throw isWritten(source)
      }
    } catch let error as LibraryError {
      throw error
    } catch let error as DatabaseError where error.code == .notADatabase {
      // What is no database has no journal either.
    } catch let error as DatabaseError where error.code == .corrupt {
      throw .damaged(file: source.path(percentEncoded: false), reason: error.message)
    } catch let error as DatabaseError {
      throw LibraryError(reading: error, of: source)
    } catch {
      throw .unreadable(
        file: source.path(percentEncoded: false), reason: error.plainReason)
    }
  }

  /// Has SQLite write a write-ahead log into its database.
  ///
  /// - Returns: Whether all its contents are in the database now; also without a log.
  private static func isMerged(
    _ mode: String, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let query = try connection.query("PRAGMA wal_checkpoint(\(mode))")
    guard try query.step() else { return true }
    let (isBlocked, frames) = (query.integer(at: 0) != 0, query.integer(at: 1))
    // One that could not begin, since another process does the same, counts -1 of -1.
    guard frames >= 0 || !isBlocked else { return false }
    return frames == query.integer(at: 2)
  }

  static func isWritten(_ source: URL) -> LibraryError {
    .beingWritten(file: source.path(percentEncoded: false))
  }

  private static func copy(
    _ source: URL, to target: URL, after check: () throws -> Void = {}
  ) throws(LibraryError) {
    let path = target.path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw LibraryError.unwritable(file: path, reason: "it cannot be created")
      }
      let handle = try FileHandle(forWritingTo: target)
      try FileDigest.forEachChunk(of: source, after: check) { try handle.write(contentsOf: $0) }
      try handle.synchronize()
      try handle.close()
    } catch let error as LibraryError {
      throw error
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw .diskFull(file: path)
    } catch is CancellationError {
      throw .cancelled
    } catch let error as DatabaseError {
      throw LibraryError(reading: error, of: source)
    } catch {
      throw .unwritable(file: path, reason: error.plainReason)
    }
  }
}
