internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

extension TileCacheStore {
  /// How many numbers are tried for a new region.
  private static let mostNumbers: Int64 = 64

  private nonisolated var lockFile: URL {
    URL(filePath: url.path(percentEncoded: false) + ".locks")
  }

  /// Locks the number of a region that is about to be made.
  ///
  /// - Throws: ``TileCacheError/busy(file:)`` if all that come into question are locked.
  nonisolated func lockNext(
    _ connection: borrowing Connection
  ) throws -> (id: Int64, lock: ByteLock) {
    let query = try connection.query("SELECT coalesce(max(id), 0) FROM region")
    let last = try query.step() ? min(query.integer(at: 0), .max - Self.mostNumbers) : 0
    // The process that has just deleted the last one may still hold its lock.
    for id in last + 1...last + Self.mostNumbers {
      if let lock = try ByteLock.attempt(at: id, of: lockFile) { return (id, lock) }
    }
    throw TileCacheError.busy(file: url.path(percentEncoded: false))
  }

  /// Keeps others, in this process and in others, from working on a region.
  ///
  /// The lock goes with its process, so that nothing is left after a crash.
  ///
  /// - Parameters:
  ///   - region: The region.
  ///   - isShared: Whether others may read it meanwhile; it is not changed then either.
  /// - Returns: The lock.
  /// - Throws: ``TileCacheError/regionInUse(_:)``.
  nonisolated func lock(
    _ region: CachedRegion, sharing isShared: Bool = false
  ) throws(TileCacheError) -> ByteLock {
    let lock: ByteLock?
    do { lock = try ByteLock.attempt(at: region.id, of: lockFile, sharing: isShared) } catch {
      throw TileCacheError(error, file: url)
    }
    guard let lock else { throw .regionInUse(region.name) }
    return lock
  }

  /// A region as it is once it is locked: until then another process may have deleted it, and given
  /// its number to another one.
  ///
  /// - Throws: ``TileCacheError/noSuchRegion(_:)``.
  func current(_ region: CachedRegion) async throws(TileCacheError) -> CachedRegion {
    let current = try await self.region(named: region.name)
    guard current.id == region.id, current.created == region.created else {
      throw .noSuchRegion(region.name)
    }
    return current
  }

  /// Whether a region is being changed, not only read; `true` where that is unknown.
  public nonisolated func isInUse(_ region: CachedRegion) -> Bool {
    // What cannot be known counts as being worked on.
    (try? ByteLock.isHeld(at: region.id, of: lockFile, alone: true)) ?? true
  }
}
