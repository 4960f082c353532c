internal import Foundation
internal import Glibc
internal import PortolanFeatures

/// Whether a file can be edited where it lies, as far as the file system tells beforehand.
///
/// Asked before each group of edits, so that the answer is the file's and not that of a failed
/// journal. A file or folder that nobody may write counts as read-only for everybody, also for
/// the system's administrator, whom the system itself would let write.
enum FilePermission {
  /// Throws if a file cannot be edited.
  static func check(_ url: URL) throws(FeatureEditError) {
    let path = url.path(percentEncoded: false)
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    guard unsafe access(path, F_OK) == 0 else {
      throw .unreadable(file: path, reason: unsafe String(cString: strerror(errno)))
    }
    guard isWritable(path, W_OK) else { throw .fileReadOnly(file: path) }
    // SQLite makes its journal beside the file.
    guard isWritable(folder, W_OK | X_OK) else { throw .folderReadOnly(folder: folder) }
  }

  private static func isWritable(_ path: String, _ rights: Int32) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o222 != 0 else { return false }
    var system = statvfs()
    guard unsafe statvfs(path, &system) == 0 else { return false }
    return unsafe system.f_flag & UInt(ST_RDONLY) == 0 && access(path, rights) == 0
  }
}
