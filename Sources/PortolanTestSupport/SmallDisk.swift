public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file system in memory that is soon full, and goes with the value.
public struct SmallDisk: ~Copyable {
  /// The folder where it is mounted.
  public let url: URL

  /// Mounts a file system of some megabytes at a folder, which is made.
  public init(at url: URL, megabytes: Int) throws {
    self.url = url
    let path = url.path(percentEncoded: false)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    guard Glibc.mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  deinit { umount2(url.path(percentEncoded: false), Int32(MNT_DETACH)) }
}
