public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The status of a file, folder or link, from the file system.
public struct FileStatus: Hashable, Sendable {
  /// The kind of the file.
  public let kind: FileType
  /// The identity of the file, whatever its name.
  public let identity: FileIdentity
  /// The bytes in it, if it is a file.
  public let byteCount: Int
  /// The bytes that it takes on the disk.
  public let allocatedByteCount: Int
  /// How many names it has.
  public let nameCount: Int
  /// When its bytes were written last, in nanoseconds since 1970.
  public let modified: Int64
  /// When anything about it was changed last, in nanoseconds since 1970.
  public let changed: Int64
  /// The permissions: the last twelve bits of its mode.
  public let permissions: UInt32
  /// The number of its owner.
  public let owner: UInt32

  /// Whether a link is looked at itself, or what it leads to.
  public enum Links: Sendable {
    /// A link is a link, wherever it leads.
    case shown
    /// The target of the link.
    case followed
  }

  /// Looks at a name.
  ///
  /// - Returns: `nil` if there is nothing of that name.
  /// - Throws: ``FileError/unreadable(file:reason:)`` if that is not permitted.
  public init?(at url: URL, links: Links = .shown) throws(FileError) {
    try self.init(path: url.plainPath, links: links)
  }

  /// Looks at a name; `nil` if nothing has it.
  init?(path: String, links: Links) throws(FileError) {
    var status = stat()
    let code = links == .shown ? unsafe lstat(path, &status) : unsafe stat(path, &status)
    guard code == 0 else {
      let reason = errno
      if reason == ENOENT || reason == ENOTDIR { return nil }
      // A link that leads to itself leads nowhere.
      if reason == ELOOP, links == .followed { return nil }
      throw FileError(.open(path), code: reason)
    }
    self.init(status)
  }

  /// Looks at an open file.
  init(of descriptor: Int32, path: String) throws(FileError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw FileError(.open(path), code: errno)
    }
    self.init(status)
  }

  /// Translates what the system says.
  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
    identity = FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    nameCount = Int(status.st_nlink)
    byteCount = kind == .file ? Int(status.st_size) : 0
    // The system counts in blocks of 512 bytes, whatever those of the disk are.
    allocatedByteCount = Int(status.st_blocks) * 512
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    permissions = status.st_mode & 0o7777
    owner = status.st_uid
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension FileStatus {
  /// A stamp that changes when a file is written to or replaced.
  public var stamp: FileStamp {
    FileStamp(size: Int64(byteCount), number: identity.number, modified: modified, changed: changed)
  }
}
