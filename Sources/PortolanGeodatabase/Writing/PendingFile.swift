package import Foundation
package import PortolanFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is written under another name and takes its own when it is complete.
///
/// Until then an existing file of its name stays. A file that is never completed is
/// removed; what a process that died left behind is overwritten. A lock keeps a second writer of
/// the same file out, in this process or another.
package final class PendingFile {
  /// The final name.
  package let url: URL
  /// The temporary URL of the file, beside the final name.
  package let temporaryURL: URL
  private let files: FileSystem
  private let descriptor: Int32
  private var isComplete = false

  /// Makes an empty file under the temporary name.
  package convenience init(at url: URL) throws(GeodatabaseWriterError) {
    try self.init(at: url, in: .live)
  }

  /// Makes an empty file under the temporary name, and completes it by a file system's calls.
  init(at url: URL, in files: FileSystem) throws(GeodatabaseWriterError) {
    self.url = url
    self.files = files
    temporaryURL = url.deletingLastPathComponent()
      .appending(path: ".\(url.lastPathComponent).partial")
    descriptor = try Self.open(temporaryURL, for: url)
  }

  deinit {
    if !isComplete { unsafe _ = unlink(temporaryURL.path(percentEncoded: false)) }
    close(descriptor)
  }

  /// Syncs the file, unless it is scratch, and gives it its name; no library may have it open any
  /// more.
  ///
  /// - Parameters:
  ///   - durability: Whether it is synced.
  ///   - replaces: Whether it takes the place of what is there by now.
  /// - Throws: ``GeodatabaseWriterError/diskFull(file:)``,
  ///   ``GeodatabaseWriterError/notWritable(file:reason:)``, whose reason says so where the file is in
  ///   its place and the disk did not confirm it.
  package func complete(
    _ durability: FileDurability = .durable, replacing replaces: Bool = true
  ) throws(GeodatabaseWriterError) {
    do {
      if durability == .durable { try files.sync(temporaryURL) }
      if replaces {
        try files.rename(temporaryURL, to: url, durability)
      } else {
        try files.move(temporaryURL, to: url)
      }
      isComplete = true
    } catch {
      if case .durabilityUnknown = error { isComplete = true }
      throw Self.failure(error, url)
    }
  }

  /// Opens and locks the temporary file, and empties it.
  private static func open(_ temporary: URL, for url: URL) throws(GeodatabaseWriterError) -> Int32 {
    let path = temporary.path(percentEncoded: false)
    while true {
      let descriptor = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o644)
      guard descriptor >= 0 else { throw failure(url) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw .notWritable(
          file: url.path(percentEncoded: false), reason: "it is being written already")
      }
      // The writer before may have given the file its final name since it was opened.
      guard isFile(descriptor, at: path) else {
        close(descriptor)
        continue
      }
      guard ftruncate(descriptor, 0) == 0 else {
        let failure = failure(url)
        close(descriptor)
        throw failure
      }
      return descriptor
    }
  }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (own, found) = (stat(), stat())
    guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &found) == 0 else { return false }
    return own.st_ino == found.st_ino && own.st_dev == found.st_dev
  }

  private static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.open(path, flags, mode)
    #elseif canImport(Darwin)
      unsafe Darwin.open(path, flags, mode)
    #endif
  }

  private static func failure(_ error: FileError, _ url: URL) -> GeodatabaseWriterError {
    let file = url.path(percentEncoded: false)
    if case .diskFull = error { return .diskFull(file: file) }
    return .notWritable(file: file, reason: error.reason)
  }

  private static func failure(_ url: URL) -> GeodatabaseWriterError {
    let (code, file) = (errno, url.path(percentEncoded: false))
    guard code != ENOSPC, code != EDQUOT else { return .diskFull(file: file) }
    return .notWritable(file: file, reason: unsafe String(cString: strerror(code)))
  }
}
