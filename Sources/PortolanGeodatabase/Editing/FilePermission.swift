internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Whether a file can be edited in place, as far as the file system shows beforehand.
///
/// Asked before each group of edits, so that the answer is the file's and not that of a failed
/// journal. A file or folder without any write permission is read-only for all users, also for
/// the system's administrator, whom the system itself would let write.
enum FilePermission {
  /// Throws if a file cannot be edited.
  static func check(_ url: URL) throws(FeatureEditError) {
    let path = url.path(percentEncoded: false)
    guard unsafe access(path, F_OK) == 0 else {
      throw .unreadable(file: path, reason: unsafe String(cString: strerror(errno)))
    }
    guard WritePermission.isGranted(forFile: url) else { throw .fileReadOnly(file: path) }
    // SQLite makes its journal beside the file.
    guard WritePermission.isGranted(forFolder: url.deletingLastPathComponent()) else {
      throw .folderReadOnly(folder: url.deletingLastPathComponent().path(percentEncoded: false))
    }
  }
}
