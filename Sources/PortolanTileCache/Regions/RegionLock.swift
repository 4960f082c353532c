internal import Foundation
internal import PortolanFiles

extension TileCacheStore {
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
    let file = URL(filePath: url.path(percentEncoded: false) + ".locks")
    let lock: ByteLock?
    do { lock = try ByteLock.attempt(at: region.id, of: file, sharing: isShared) } catch {
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
    let file = URL(filePath: url.path(percentEncoded: false) + ".locks")
    // What cannot be known counts as being worked on.
    return (try? ByteLock.isHeld(at: region.id, of: file, alone: true)) ?? true
  }
}
