internal import Foundation
internal import PortolanFiles

/// A hidden folder beside a file that is being made, for what goes into it: on the same disk, so that an
/// export needs no room in the home.
struct ExportStaging {
  private static let prefix = ".portolan-export-"

  /// The folder.
  let folder: URL
  /// Marks it as in use.
  private let lock: FileLock?

  /// Makes the folder, and removes those of processes that have died.
  ///
  /// - Throws: ``FileError``.
  init(beside file: URL, id: UUID) throws(FileError) {
    let parent = file.deletingLastPathComponent()
    Self.removeAbandoned(in: parent)
    folder = parent.appending(
      path: Self.prefix + id.uuidString.lowercased(), directoryHint: .isDirectory)
    try FileSystem.live.createFolder(folder, permissions: 0o700)
    lock = try FileLock.attempt(.shared, on: .item(folder))
  }

  /// Removes the folder.
  func remove() {
    lock?.release()
    // What cannot be removed is left to the next export there.
    try? FileSystem.live.erase(folder)
  }

  private static func removeAbandoned(in parent: URL) {
    // A folder that cannot be listed has nothing to remove.
    let names = (try? FileSystem.live.names(in: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let url = parent.appending(path: name, directoryHint: .isDirectory)
      // What is in use, or cannot be locked, stays.
      guard let lock = try? FileLock.attempt(.exclusive, on: .item(url)), lock.isEffective else {
        continue
      }
      // The same: it is found again the next time.
      try? FileSystem.live.erase(url)
      lock.release()
    }
  }
}
