public import Foundation
internal import PortolanFiles
internal import Synchronization

/// Keeps a version of a stored map where it is, for as long as this value lives: no process deletes or
/// removes it meanwhile, though a newer version may be installed beside it.
///
/// A lease is a lock of the kernel on the version itself. It goes with its process, and can be had on
/// media that cannot be written.
public final class MapLease: Sendable {
  /// The record of the map.
  public let map: StoredMap
  /// The file or folder.
  public let url: URL
  private let reading: FileLock
  private let editing = Mutex<FileLock?>(nil)

  init(_ map: StoredMap, at url: URL, _ reading: FileLock) {
    self.map = map
    self.url = url
    self.reading = reading
  }

  /// Whether this lease has the right to edit the map, which one has at a time.
  public var isEditing: Bool { editing.withLock { $0 != nil } }

  /// Whether it is on what has its place now, and not on what was there before.
  func isInPlace() throws(LibraryError) -> Bool {
    do { return try reading.isOn(url) } catch { throw LibraryError(reading: error) }
  }

  /// Takes over the right to edit.
  func begin(_ lock: FileLock) { editing.withLock { $0 = lock } }

  /// Gives the right to edit back; reading continues.
  public func endEditing() {
    let lock = editing.withLock { held in
      let lock = held
      held = nil
      return lock
    }
    lock?.release()
  }
}
