internal import CFileSystem
internal import Foundation
internal import Glibc

/// Moves and removals that a power cut leaves as before or as after.
enum DurableMove {
  /// Writes to the disk whatever of a file or folder is not there yet; links are not followed.
  static func sync(_ url: URL) throws(LibraryError) {
    guard exists(url) else {
      throw .unwritable(file: url.path(percentEncoded: false), reason: "it is gone")
    }
    var names: [String] = []
    FileStatus.visit(url) { url, status in
      if status.kind == .file || status.kind == .folder { names.append(plainPath(url)) }
    }
    for name in names { try syncOne(name) }
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

  /// Removes something with all that is in it, also while others do; links are not followed.
  static func erase(_ url: URL) throws(LibraryError) {
    for attempt in 1... {
      do {
        if exists(url) { try FileManager.default.removeItem(at: url) }
        return
      } catch {
        // Another process may have been quicker with a part of it.
        guard attempt == 3 else { continue }
        throw .unwritable(
          file: url.path(percentEncoded: false), reason: error.localizedDescription)
      }
    }
  }

  /// Whether something bears that name, be it a link that leads nowhere.
  static func exists(_ url: URL) -> Bool { FileStatus(url) != nil }

  private static func syncOne(_ path: String) throws(LibraryError) {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
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

  /// A path without a slash at its end.
  static func plainPath(_ url: URL) -> String {
    let path = url.path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
