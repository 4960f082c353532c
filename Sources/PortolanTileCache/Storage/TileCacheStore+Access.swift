internal import Foundation
internal import PortolanSQLite

/// Signals that the open file is not the one at its path any more.
private struct MovedFile: Error {}

extension TileCacheStore {
  /// Reads, once what was received before is written.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(TileCacheError) -> T {
    await written()
    return try await guarded { opened in
      try await opened.reader.read { connection in
        // A copy that had to be made says nothing of what was written to its original since.
        guard !opened.isReadOnly || connection.isCurrent else { throw MovedFile() }
        return try body(connection)
      }
    }
  }

  /// Writes in one transaction, once what was received before is written.
  ///
  /// - Throws: ``TileCacheError``; where the file can only be read, why that is so.
  func write<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(TileCacheError) -> T {
    await written()
    return try await writeAlone(body)
  }

  /// Writes in one transaction, without waiting for what was received.
  func writeAlone<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(TileCacheError) -> T {
    if opened.isReadOnly { try openForWriting() }
    return try await guarded { opened in
      try await opened.writer.get().write { connection in
        // Another process may have set the file aside; what is written there is lost.
        guard connection.isCurrent else { throw MovedFile() }
        return try body(connection)
      }
    }
  }

  /// How often a write is tried while others write, each time for as long as a connection waits.
  private static let mostTries = 12

  /// Writes in one transaction, and retries while another process writes for long, so that received
  /// tiles are not lost.
  func patiently<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(TileCacheError) -> T {
    await written()
    return try await patientlyAlone(body)
  }

  /// Writes as ``patiently(_:)`` does, without waiting for what was received.
  func patientlyAlone<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(TileCacheError) -> T {
    for _ in 1..<Self.mostTries {
      do throws(TileCacheError) { return try await writeAlone(body) } catch {
        guard case .busy = error else { throw error }
      }
    }
    return try await writeAlone(body)
  }

  /// Opens a file for writing that could only be read until now.
  private func openForWriting() throws(TileCacheError) {
    let file = TileCacheFile(url: url)
    // In vain it would leave traces beside the file, by which it would seem to have changed.
    guard file.hasRoom else { throw .diskFull(file: url.path(percentEncoded: false)) }
    do throws(TileCacheError) { opened = try file.openForWriting() } catch {
      if case .failure(let obstacle) = opened.writer { throw obstacle }
      throw error
    }
    setAside = opened.setAside ?? setAside
    forgetFile()
  }

  /// Runs `body`, once again with a new file if the one that is open is damaged or gone.
  private func guarded<T: Sendable>(
    _ body: @Sendable (TileCacheFile.Opened) async throws -> T
  ) async throws(TileCacheError) -> T {
    let used = opened
    do { return try await body(used) } catch {
      guard Self.isDamage(error) else { throw TileCacheError(error, file: url) }
      try replace(used)
    }
    do { return try await body(opened) } catch { throw TileCacheError(error, file: url) }
  }

  /// Opens again; another task may have done so meanwhile.
  private func replace(_ used: TileCacheFile.Opened) throws(TileCacheError) {
    guard used.reader === opened.reader else { return }
    // Reading without locks may find apparent damage while another process writes.
    opened = try TileCacheFile(url: url).open(instead: used.isReadOnly ? nil : used)
    setAside = opened.setAside ?? setAside
    forgetFile()
  }

  private static func isDamage(_ error: any Error) -> Bool {
    if error is MovedFile { return true }
    guard let error = error as? DatabaseError else { return false }
    return error.code == .corrupt || error.code == .notADatabase
  }

  /// Does something to its end although the task is cancelled meanwhile, or was before.
  ///
  /// For what must be written so that nothing which has arrived is lost.
  nonisolated func unstoppably<T: Sendable>(
    _ body: @escaping @Sendable () async throws(TileCacheError) -> T
  ) async throws(TileCacheError) -> T {
    try await Task { await Result.of(body) }.value.get()
  }
}
