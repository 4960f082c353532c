internal import CFileSystem
internal import Foundation
internal import Glibc

/// Moves and removals that a power cut leaves as before or as after.
enum DurableMove {
  /// Writes to the disk whatever of a file or folder is not there yet.
  static func sync(_ url: URL) throws(LibraryError) {
    var isFolder: ObjCBool = false
    let path = plainPath(url)
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .unwritable(file: path, reason: "it is gone")
    }
    if isFolder.boolValue {
      do {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
          try sync(url.appending(path: name))
        }
      } catch {
        throw (error as? LibraryError)
          ?? .unwritable(file: path, reason: error.localizedDescription)
      }
    }
    try syncOne(path)
  }

  /// Moves something to where nothing is, on the same disk.
  static func move(_ source: URL, to target: URL) throws(LibraryError) {
    let (from, to) = (plainPath(source), plainPath(target))
    guard unsafe cfilesystem_move(from, to) == 0 else {
      throw errno == ENOSPC
        ? .diskFull(file: to)
        : .unwritable(file: to, reason: unsafe String(cString: strerror(errno)))
    }
    try syncOne(plainPath(target.deletingLastPathComponent()))
    try syncOne(plainPath(source.deletingLastPathComponent()))
  }

  /// Puts something in the place of another, which goes to where the first was.
  static func exchange(_ source: URL, with target: URL) throws(LibraryError) {
    let (from, to) = (plainPath(source), plainPath(target))
    guard unsafe cfilesystem_exchange(from, to) == 0 else {
      throw .unwritable(file: to, reason: unsafe String(cString: strerror(errno)))
    }
    try syncOne(plainPath(target.deletingLastPathComponent()))
    try syncOne(plainPath(source.deletingLastPathComponent()))
  }

  /// Whether something is there.
  static func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: plainPath(url))
  }

  private static func syncOne(_ path: String) throws(LibraryError) {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unwritable(file: path, reason: unsafe String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw errno == ENOSPC || errno == EDQUOT
        ? .diskFull(file: path)
        : .unwritable(file: path, reason: unsafe String(cString: strerror(errno)))
    }
  }

  private static func plainPath(_ url: URL) -> String {
    let path = url.path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
