internal import Foundation
internal import PortolanFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A home to look at, so that the next process finds the original exactly as it was left: what opens a
/// database rolls back what was cut short in it.
///
/// Databases, their journals and the files of locks are copied; all others, which are not written
/// to in place, get a second name.
enum HomeCopy {
  /// Copies a home that no process works on.
  static func make(of home: URL, at target: URL) throws {
    if FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) {
      try FileManager.default.removeItem(at: target)
    }
    let depth = home.pathComponents.count
    var entries: [(path: String, url: URL, status: FileStatus)] = []
    FileTree.visit(home) { url, status in
      entries.append((url.pathComponents.dropFirst(depth).joined(separator: "/"), url, status))
    }
    // Folders come after what is in them.
    for entry in entries.reversed() where entry.status.kind == .folder {
      try FileManager.default.createDirectory(
        at: entry.path.isEmpty ? target : target.appending(path: entry.path),
        withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    for entry in entries where entry.status.kind == .file {
      let copy = target.appending(path: entry.path)
      if isWritten(entry.url.lastPathComponent) {
        try FileManager.default.copyItem(at: entry.url, to: copy)
        try setDate(of: copy, to: entry.status.modified)
      } else {
        try FileManager.default.linkItem(at: entry.url, to: copy)
      }
    }
  }

  private static func isWritten(_ name: String) -> Bool {
    name.hasPrefix(".") || [".sqlite", ".geodatabase", ".lock"].contains { name.contains($0) }
  }

  /// The date says whether a file is what was installed.
  private static func setDate(of url: URL, to nanoseconds: Int64) throws {
    let time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    guard unsafe utimensat(AT_FDCWD, url.path(percentEncoded: false), [time, time], 0) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
