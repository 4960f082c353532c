public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileSystem {
  /// Writes to the disk whatever of a file or folder is not there yet; links are not followed.
  ///
  /// Not for a database that is open in this process: closing any descriptor of a file releases the
  /// locks that SQLite holds on it.
  ///
  /// - Throws: ``FileError/absent(file:)`` if it is not there, ``FileError/diskFull(file:)``,
  ///   ``FileError/unwritable(file:reason:)``, ``FileError/unreadable(file:reason:)`` for a folder
  ///   that cannot be listed, since nobody knows then what in it is not on the disk yet.
  public func sync(_ url: URL) throws(FileError) {
    guard try FileStatus(at: url) != nil else { throw .absent(file: url.plainPath) }
    var paths: [String] = []
    try FileTree.walk(url, in: self) { url, status in
      if status.kind == .file || status.kind == .folder { paths.append(url.plainPath) }
    }
    for path in paths { try syncOne(path) }
  }

  /// Writes the names in a folder to the disk, but nothing of what bears them.
  ///
  /// - Throws: as ``sync(_:)`` does.
  public func syncFolder(_ url: URL) throws(FileError) { try syncOne(url.plainPath) }

  /// Syncs one file or folder.
  func syncOne(_ path: String) throws(FileError) {
    let descriptor = try open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    defer { close(descriptor) }
    try syncOpen(descriptor, path)
  }

  /// Syncs an open file or folder.
  func syncOpen(_ descriptor: Int32, _ path: String) throws(FileError) {
    // Some file systems cannot sync a folder and say so; there is nothing more to be done.
    try perform(.sync(path), ignoring: EINVAL) { fsync(descriptor) }
  }
}
