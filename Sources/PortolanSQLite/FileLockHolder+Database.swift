internal import Foundation
internal import PortolanFiles

extension FileLockHolder {
  /// The holder of one of SQLite's locks on a database: on the file, or on the index of its log.
  static func find(forDatabase path: String) -> FileLockHolder? {
    let file = URL(filePath: path).resolvingSymlinksInPath()
    let index = URL(filePath: file.path(percentEncoded: false) + "-shm")
    let holders = [file, index].compactMap { find(for: $0, .database) }
    return holders.first { $0.processID != ProcessInfo.processInfo.processIdentifier }
      ?? holders.first
  }
}
