internal import Foundation
internal import PortolanFiles

/// A hidden folder beside a file that is being made, for what goes into it: on the same disk, so that an
/// export needs no room in the home.
struct ExportStaging {
  private static let prefix = ".portolan-export-"

  /// The number of attempts to lock the folder, which may be removed meanwhile.
  private static let attempts = 10

  let folder: URL
  /// Marks it as in use.
  private let lock: FileLock

  /// Makes the folder, and removes those of processes that have died.
  ///
  /// - Throws: ``FileError``.
  init(beside file: URL, id: UUID) throws(FileError) {
    let parent = file.deletingLastPathComponent()
    Self.removeAbandoned(in: parent)
    folder = parent.appending(
      path: Self.prefix + id.uuidString.lowercased(), directoryHint: .isDirectory)
    lock = try Self.lock(folder)
  }

  /// Makes the folder, and locks it: another export may take it for abandoned before it is locked, and
  /// would remove what is copied into it.
  private static func lock(_ folder: URL) throws(FileError) -> FileLock {
    for attempt in 1...attempts {
      try FileSystem.live.createFolder(folder, permissions: 0o700)
      do {
        // A process that removes it has the lock until it is gone.
        let lock = try FileLock.wait(.shared, on: .item(folder))
        // There are file systems that give a folder a new number each time.
        if try lock.isOn(folder) || attempt == attempts { return lock }
      } catch .absent {
        // It was removed before it could be opened.
      }
    }
    throw .inUse(file: folder.plainPath, holder: FileLockHolder.find(for: folder))
  }

  /// Removes the folder.
  func remove() {
    lock.release()
    // A folder that cannot be removed is left to the next export there.
    try? FileSystem.live.erase(folder)
  }

  private static func removeAbandoned(in parent: URL) {
    // A folder that cannot be listed has nothing to remove.
    let names = (try? FileSystem.live.names(in: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let url = parent.appending(path: name, directoryHint: .isDirectory)
      // A folder that is in use, or cannot be locked, stays.
      guard let lock = try? FileLock.attempt(.exclusive, on: .item(url)), lock.isEffective else {
        continue
      }
      // The same: it is found again the next time.
      try? FileSystem.live.erase(url)
      lock.release()
    }
  }
}
