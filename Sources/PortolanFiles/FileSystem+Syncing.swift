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
  ///   that cannot be listed, since it is then unknown what in it is not on the disk yet.
  public func sync(_ url: URL) throws(FileError) {
    guard try FileStatus(at: url) != nil else { throw .absent(file: url.plainPath) }
    var paths: [String] = []
    try FileTree.walk(url, in: self) { url, status in
      if status.kind == .file || status.kind == .folder { paths.append(url.plainPath) }
    }
    for path in paths { try syncOne(path) }
  }

  /// Writes the names in a folder, or in the one that a link leads to, to the disk, but nothing of
  /// what has them.
  ///
  /// - Throws: as ``sync(_:)`` does.
  public func syncFolder(_ url: URL) throws(FileError) {
    try syncOne(url.plainPath, links: .followed)
  }

  /// Syncs one file or folder.
  ///
  /// Links are followed only where they are a part of the path that was given for writing, as to
  /// the folder in which a file has got its name.
  func syncOne(_ path: String, links: FileStatus.Links = .shown) throws(FileError) {
    let descriptor = try open(
      path, O_RDONLY | O_NONBLOCK | (links == .shown ? O_NOFOLLOW : 0))
    defer { close(descriptor) }
    try syncOpen(descriptor, path)
  }

  /// Syncs an open file or folder.
  func syncOpen(_ descriptor: Int32, _ path: String) throws(FileError) {
    // Some file systems cannot sync a folder and say so; there is nothing more to be done.
    try perform(.sync(path), ignoring: EINVAL) { fsync(descriptor) }
  }
}
