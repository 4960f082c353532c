public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Whether a file or folder is writable, as far as the file system says beforehand.
///
/// One without any write permission is read-only for all users, also for the system's
/// administrator, whom the system itself would let write.
public enum WritePermission {
  /// Whether a file can be written.
  public static func isGranted(forFile url: URL) -> Bool { isGranted(url.plainPath, W_OK) }

  /// Whether files can be created in a folder.
  public static func isGranted(forFolder url: URL) -> Bool {
    isGranted(url.plainPath, W_OK | X_OK)
  }

  private static func isGranted(_ path: String, _ rights: Int32) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o222 != 0 else { return false }
    var system = statvfs()
    guard unsafe statvfs(path, &system) == 0 else { return false }
    return unsafe system.f_flag & UInt(ST_RDONLY) == 0 && access(path, rights) == 0
  }
}
