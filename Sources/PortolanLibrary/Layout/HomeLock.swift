internal import Foundation
internal import PortolanFiles

/// The right to move maps of a home about; one task of one process has it at a time, and a process
/// that dies gives it back.
struct HomeLock: Sendable {
  private static let name = ".lock"

  private let lock: FileLock

  /// Waits for the right.
  init(_ layout: HomeLayout, clock: any Clock<Duration>) async throws(LibraryError) {
    do {
      lock = try await FileLock.acquire(
        .exclusive, on: .lockFile(layout.home.appending(path: Self.name)), clock: clock)
    } catch {
      throw LibraryError(error)
    }
  }

  /// Gives the right back; call it in a `defer`, so that it is held as long.
  func release() { lock.release() }
}
