internal import CFileSystem
package import Foundation

/// Identifies a file for as long as it exists; a copy of it has another identity.
package enum FileOrigin {
  /// The number of a file; on FAT, exFAT and SMB, which number their files anew with each mount, the
  /// second in which it was created, which a copy does not have.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - status: What the file system says of it.
  /// - Returns: The same for as long as the file is there, whatever its name.
  package static func text(of url: URL, _ status: FileStatus) -> String {
    let path = url.plainPath
    return text(
      status.identity.number, isKept: unsafe cfilesystem_keeps_numbers(path) != 0,
      created: unsafe cfilesystem_created(path))
  }

  static func text(_ number: UInt64, isKept: Bool, created: Int64) -> String {
    // Without a date it counts as a copy after the next mount, which loses nothing.
    isKept || created <= 0 ? "\(number)" : "@\(created)"
  }
}
