internal import Foundation
internal import PortolanArchives
internal import PortolanFiles

/// The folder for what is decompressed out of archives, since databases are read in place.
///
/// Each state of each archive has a folder of its own below it. A folder is kept while some process
/// has its archive open, and removed when it was not used for a week and another one is filled.
struct UnpackedFolders: Sendable {
  private let folder: URL
  private let now: Date

  /// How long a folder is kept after its last use, in nanoseconds.
  private static let retention: Int64 = 7 * 24 * 3_600 * 1_000_000_000

  /// Describes the folder, which is made when it is needed.
  init(_ folder: URL, now: Date) {
    self.folder = folder
    self.now = now
  }

  /// The folder for one state of an archive.
  func folder(of archive: URL, _ status: FileStatus) -> URL {
    let path = archive.resolvingSymlinksInPath().path(percentEncoded: false)
    let state = "\(path)|\(status.byteCount)|\(status.modified)|\(status.identity.number)"
    let stem = archive.deletingPathExtension().lastPathComponent
    return folder.appending(path: "\(stem.prefix(40))-\(String(Self.hash(state), radix: 16))")
  }

  /// Makes a folder, marks it as in use until the lock goes, and makes space by removing others.
  ///
  /// - Parameter url: One that ``folder(of:_:)`` gave.
  /// - Returns: The lock; `nil` while somebody removes the folder.
  /// - Throws: ``FileError``.
  func open(_ url: URL) throws(FileError) -> FileLock? {
    try FileSystem.live.createFolder(url, permissions: 0o700)
    let lock = try FileLock.attempt(.shared, on: .item(url))
    removeUnused()
    // Its age counts from its last use; where that cannot be written, it goes the sooner.
    try? FileManager.default.setAttributes(
      [.modificationDate: now], ofItemAtPath: url.path(percentEncoded: false))
    return lock
  }

  /// Removes what nobody has used for long; what cannot be removed is tried again.
  private func removeUnused() {
    let latest = Int64(min(max(now.timeIntervalSince1970, 0), 9e9) * 1e9) - Self.retention
    // Without a listing there is nothing to remove.
    let items = (try? FolderListing(of: folder).items) ?? []
    for item in items where item.isFolder && item.stamp.modified < latest {
      let url = folder.appending(path: item.name)
      // What somebody uses, or nobody may lock, stays.
      guard let lock = try? FileLock.attempt(.exclusive, on: .item(url)), lock.isEffective else {
        continue
      }
      // What is left of it is removed at the next occasion.
      try? FileSystem.live.erase(url)
      lock.release()
    }
  }

  /// FNV-1a, by Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo: names folders, secures nothing.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
