internal import Foundation
internal import PortolanFiles

/// The right to move maps of a home; one task of one process has it at a time, and a process that
/// dies releases it.
struct HomeLock: Sendable {
  private static let name = ".lock"

  private let lock: FileLock

  /// Waits for the right.
  ///
  /// - Parameters:
  ///   - layout: The home.
  ///   - clock: Measures the pauses between two looks.
  ///   - files: The file system.
  ///   - tell: Called once, when it took longer than a second.
  /// - Throws: ``LibraryError`` if the lock cannot be acquired at all, or the task is cancelled;
  ///   ``LibraryError/homeWithoutLocks(_:)`` where everyone would have it.
  init(
    _ layout: HomeLayout, clock: any Clock<Duration>, in files: FileSystem = .live,
    tell: @escaping @Sendable (HomeLockNotice) -> Void = { _ in }
  ) async throws(LibraryError) {
    do {
      lock = try await FileLock.acquire(
        .exclusive, on: .lockFile(Self.url(layout)), clock: clock, in: files
      ) {
        tell(.waits(holder: $0?.description))
      }
    } catch {
      throw LibraryError(error)
    }
    try lock.requireEffective(in: layout)
  }

  /// Takes the right; `nil` if another process still has it after a second, or if locks are not
  /// effective.
  init?(
    ifFree layout: HomeLayout, clock: any Clock<Duration>, in files: FileSystem = .live,
    tell: @Sendable (HomeLockNotice) -> Void
  ) async throws(LibraryError) {
    let url = Self.url(layout)
    do {
      guard
        let lock = try await FileLock.attempt(
          .exclusive, on: .lockFile(url), patientlyBy: clock, in: files)
      else {
        tell(.goesOn(holder: FileLockHolder.find(for: url)?.description))
        return nil
      }
      guard lock.isEffective else { return nil }
      self.lock = lock
    } catch {
      throw LibraryError(error)
    }
  }

  private static func url(_ layout: HomeLayout) -> URL { layout.home.appending(path: name) }

  /// Gives the right back; call it in a `defer`, so that it is held as long.
  func release() { lock.release() }
}

extension FileLock {
  /// Refuses a lock that excludes no other process, as on storage without locks.
  func requireEffective(in layout: HomeLayout) throws(LibraryError) {
    guard isEffective else { throw .homeWithoutLocks(layout.home.path(percentEncoded: false)) }
  }
}
