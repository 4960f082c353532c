internal import Foundation
internal import PortolanFiles
internal import PortolanPortal

extension FileLock {
  /// Waits for the lock that one process at a time holds while it changes the credentials of a home
  /// folder; the folder is made, for its owner only, if it is not there.
  static func credentials(in folder: URL) throws(CredentialStoreError) -> FileLock {
    let place = folder.appending(path: "credentials.lock")
    let lock: FileLock
    do {
      try FileSystem.live.createFolder(folder, permissions: 0o700)
      lock = try FileLock.wait(.exclusive, on: .lockFile(place))
    } catch {
      throw .unwritable(
        place: error.file ?? place.path(percentEncoded: false), reason: error.reason)
    }
    guard lock.isEffective else {
      throw .unwritable(
        place: place.path(percentEncoded: false), reason: "the storage has no file locks")
    }
    return lock
  }
}
