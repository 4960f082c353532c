internal import Foundation
internal import Glibc

/// The right to move maps of a home about; one task of one process has it at a time, and a process
/// that dies gives it back.
@safe
struct HomeLock: ~Copyable {
  private static let name = ".lock"
  /// How long those wait who find it taken, before they look again.
  private static let pause = Duration.milliseconds(4)

  private let descriptor: Int32

  /// Waits for the right.
  init(_ layout: HomeLayout, clock: any Clock<Duration>) async throws(LibraryError) {
    let path = layout.home.appending(path: Self.name).path(percentEncoded: false)
    let descriptor = unsafe Glibc.open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        // Storage that knows no locks has one process at a time.
        if errno == ENOTSUP || errno == ENOLCK { break }
        close(descriptor)
        throw Self.failure(path)
      }
      do { try await clock.sleep(for: Self.pause) } catch {
        close(descriptor)
        throw .cancelled
      }
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Gives the right back; call it in a `defer`, so that it is held as long.
  borrowing func release() { flock(descriptor, LOCK_UN) }

  private static func failure(_ path: String) -> LibraryError {
    .unwritable(file: path, reason: unsafe String(cString: strerror(errno)))
  }
}
