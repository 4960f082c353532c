public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The free space of a disk.
public enum FreeSpace {
  /// The bytes that this user may still write to the disk of a file or folder.
  ///
  /// - Returns: `nil` where the disk does not say, or nothing is at that path.
  public static func byteCount(at url: URL) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(url.plainPath, &status) == 0 else { return nil }
    return byteCount(status)
  }

  static func byteCount(of descriptor: Int32) -> Int? {
    var status = statvfs()
    guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
    return byteCount(status)
  }

  private static func byteCount(_ status: statvfs) -> Int? {
    let (bytes, isTooMuch) = Int(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
    return isTooMuch ? nil : bytes
  }
}
