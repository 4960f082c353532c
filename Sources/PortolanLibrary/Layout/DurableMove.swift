internal import Foundation
internal import PortolanFiles

/// Moves that a power cut leaves as before or as after, with this module's errors.
enum DurableMove {
  /// Moves something to where nothing is, on the same disk.
  static func move(_ source: URL, to target: URL) throws(LibraryError) {
    do { try FileSystem.live.move(source, to: target) } catch { throw LibraryError(error) }
  }

  /// Whether there is a file, folder or link of that name, even a broken link.
  static func exists(_ url: URL) -> Bool { FileSystem.live.exists(url) }

  /// A path without a slash at its end.
  static func plainPath(_ url: URL) -> String { url.plainPath }
}

extension FileStatus {
  /// Looks at a name; `nil` if nothing has it, or it may not be looked at.
  init?(_ url: URL) {
    // Callers treat what they may not look at as absent.
    guard let status = try? FileStatus(at: url) else { return nil }
    self = status
  }
}
