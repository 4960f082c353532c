internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is written under another name and takes its own when it is complete.
///
/// Until then whatever stood under its name stays there. A file that is never completed is
/// removed.
final class PendingFile {
  /// Where the file is being written.
  let temporaryURL: URL
  /// The final name.
  let url: URL
  private var isComplete = false

  /// Makes room under the temporary name, which is beside the final one.
  init(at url: URL) throws(GeodatabaseWriterError) {
    self.url = url
    temporaryURL = url.deletingLastPathComponent()
      .appending(path: ".\(url.lastPathComponent).partial")
    try Self.removeIfPresent(temporaryURL)
  }

  deinit {
    guard !isComplete else { return }
    // Nobody waits for the removal, and the next writer of the file tries again.
    try? Self.removeIfPresent(temporaryURL)
  }

  /// Brings the file to the disk and gives it its name.
  func complete() throws(GeodatabaseWriterError) {
    try Self.synchronize(temporaryURL, flags: O_RDWR)
    let code = unsafe rename(
      temporaryURL.path(percentEncoded: false), url.path(percentEncoded: false))
    guard code == 0 else { throw Self.failure(url) }
    isComplete = true
    try Self.synchronize(url.deletingLastPathComponent(), flags: O_RDONLY)
  }

  private static func synchronize(_ url: URL, flags: Int32) throws(GeodatabaseWriterError) {
    let descriptor = unsafe open(url.path(percentEncoded: false), flags)
    guard descriptor >= 0 else { throw failure(url) }
    let code = fsync(descriptor)
    guard code == 0 else {
      let failure = failure(url)
      close(descriptor)
      throw failure
    }
    close(descriptor)
  }

  private static func removeIfPresent(_ url: URL) throws(GeodatabaseWriterError) {
    let code = unsafe unlink(url.path(percentEncoded: false))
    guard code == 0 || errno == ENOENT else { throw failure(url) }
  }

  private static func failure(_ url: URL) -> GeodatabaseWriterError {
    .notWritable(
      file: url.path(percentEncoded: false), reason: unsafe String(cString: strerror(errno)))
  }
}
