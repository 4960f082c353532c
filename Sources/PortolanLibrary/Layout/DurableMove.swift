internal import Foundation
internal import PortolanFiles

/// Moves and removals that a power cut leaves as before or as after, with this module's errors.
enum DurableMove {
  /// Writes to the disk whatever of a file or folder is not there yet; links are not followed.
  static func sync(_ url: URL) throws(LibraryError) {
    do { try FileSystem.live.sync(url) } catch { throw LibraryError(error) }
  }

  /// Moves something to where nothing is, on the same disk.
  static func move(_ source: URL, to target: URL) throws(LibraryError) {
    do { try FileSystem.live.move(source, to: target) } catch { throw LibraryError(error) }
  }

  /// Puts something in the place of another, which goes to where the first was.
  static func exchange(_ source: URL, with target: URL) throws(LibraryError) {
    do { try FileSystem.live.exchange(source, with: target) } catch { throw LibraryError(error) }
  }

  /// Removes something with all that is in it, also while others do; links are not followed.
  static func erase(_ url: URL) throws(LibraryError) {
    do { try FileSystem.live.erase(url) } catch { throw LibraryError(error) }
  }

  /// Whether something bears that name, be it a link that leads nowhere.
  static func exists(_ url: URL) -> Bool { FileSystem.live.exists(url) }

  /// A path without a slash at its end.
  static func plainPath(_ url: URL) -> String { url.plainPath }
}

extension FileStatus {
  /// Looks at a name; `nil` if nothing bears it, or nobody may look.
  init?(_ url: URL) {
    // Callers treat what they may not look at as absent.
    guard let status = try? FileStatus(at: url) else { return nil }
    self = status
  }
}
