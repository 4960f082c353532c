public import Foundation
public import Testing

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file system in memory that is read-only once it has been filled, and goes with the value.
public struct ReadOnlyMedium: ~Copyable {
  /// The folder where it is mounted.
  public let url: URL

  /// Mounts a file system at a folder, which is made, lets it be filled, and makes it read-only.
  public init(at url: URL, filledBy fill: (URL) throws -> Void) throws {
    self.url = url
    let path = url.path(percentEncoded: false)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    guard Glibc.mount("tmpfs", path, "tmpfs", 0, "size=64m") == 0 else {
      throw CocoaError(.fileWriteNoPermission)
    }
    do { try fill(url) } catch {
      umount2(path, Int32(MNT_DETACH))
      throw error
    }
    guard
      Glibc.mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit { umount2(url.path(percentEncoded: false), Int32(MNT_DETACH)) }

  /// Whether this process may mount file systems.
  static var isPossible: Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    // Where nothing can be mounted, the folder stays empty and is removed all the same.
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      _ = try ReadOnlyMedium(at: folder) { _ in }
      return true
    } catch {
      return false
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, saying so, where file systems cannot be mounted.
  public static var needsMounting: Self {
    .enabled(if: ReadOnlyMedium.isPossible, "needs the right to mount file systems")
  }
}
