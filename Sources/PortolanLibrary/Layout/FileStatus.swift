internal import Foundation
internal import Glibc

/// Which file of which disk a name stands for; it stays when the file is renamed.
public struct FileIdentity: Hashable, Sendable, Codable {
  /// The number of the disk.
  public let device: UInt64
  /// The number of the file on it.
  public let number: UInt64
}

/// What the file system says of a name; a link is a link here, wherever it leads.
struct FileStatus: Hashable, Sendable {
  /// What a name stands for.
  enum Kind: Hashable, Sendable {
    case file, folder, link, other
  }

  let kind: Kind
  let identity: FileIdentity
  /// The bytes in it, if it is a file.
  let byteCount: Int
  /// The bytes that it takes on the disk.
  let allocatedByteCount: Int
  /// How many names it has.
  let nameCount: Int

  /// Looks at a name; `nil` if nothing bears it, or nobody may look.
  init?(_ url: URL) {
    var status = stat()
    guard unsafe lstat(DurableMove.plainPath(url), &status) == 0 else { return nil }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    identity = FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    nameCount = Int(status.st_nlink)
    byteCount = kind == .file ? Int(status.st_size) : 0
    // The system counts in blocks of 512 bytes, whatever those of the disk are.
    allocatedByteCount = Int(status.st_blocks) * 512
  }

  /// Looks at everything below a name too, the folders after what is in them.
  ///
  /// What goes meanwhile is left out.
  static func visit(_ url: URL, _ body: (URL, FileStatus) -> Void) {
    guard let status = FileStatus(url) else { return }
    if status.kind == .folder {
      // A folder that is gone, or that nobody may read, shows nothing.
      let names = try? FileManager.default.contentsOfDirectory(atPath: DurableMove.plainPath(url))
      for name in (names ?? []).sorted() { visit(url.appending(path: name), body) }
    }
    body(url, status)
  }
}
