internal import Foundation
internal import Glibc

/// Says to all processes that a stored map is open, for as long as this value lives.
@safe
public final class MapUse: Sendable {
  private let descriptor: Int32

  /// Marks a map as open; `nil` if it cannot be marked, as on storage that knows no locks.
  init?(_ url: URL) {
    let descriptor = unsafe Glibc.open(
      url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Does something to a map that no process has open; answers `nil` without doing it otherwise.
  static func excluding<Result, Failure: Error>(
    _ url: URL, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let descriptor = unsafe Glibc.open(
      url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    // What is not there is open nowhere.
    guard descriptor >= 0 else { return try body() }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    return try body()
  }
}
