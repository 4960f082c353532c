internal import Foundation
internal import Glibc
internal import PortolanPortal

/// A lock that one process at a time holds while it changes the credentials of a home folder.
struct CredentialLock {
  private let descriptor: Int32

  /// Waits for the lock; makes the folder, for its owner only, if it is not there.
  init(in folder: URL) throws(CredentialStoreError) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      let path = folder.path(percentEncoded: false)
      throw .unwritable(place: path, reason: "the folder cannot be made")
    }
    let path = folder.appending(path: "credentials.lock").path(percentEncoded: false)
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .unwritable(place: path, reason: unsafe String(cString: strerror(errno)))
    }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        throw .unwritable(place: path, reason: unsafe String(cString: strerror(errno)))
      }
    }
  }

  /// Lets the next one have it.
  func release() { close(descriptor) }
}
