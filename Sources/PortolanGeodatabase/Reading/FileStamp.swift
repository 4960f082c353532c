internal import Foundation
internal import Glibc

/// What tells that somebody has written to a file since it was opened.
///
/// Costs two calls of the system, so that it can be asked for each time a reader is lent.
struct FileStamp: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt
  private let size: Int
  private let modified: [Int]
  private let hasWriteAheadLog: Bool

  /// Looks at a file; `nil` if there is none.
  init?(_ url: URL) {
    let path = url.path(percentEncoded: false)
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    modified = [
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
    hasWriteAheadLog = unsafe access(path + "-wal", F_OK) == 0
  }
}

extension GeodatabaseLocation {
  /// The stamp of a file of its own; packages are not written to.
  var stamp: FileStamp? {
    if case .file(let url) = self { FileStamp(url) } else { nil }
  }
}
