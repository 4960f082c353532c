internal import Foundation
internal import PortolanArchives
internal import PortolanFiles

/// The folder for parts decompressed from archives, since databases are read in place.
///
/// Each state of each archive has a folder of its own below it. A folder is kept while some process
/// has its archive open, and removed when it was not used for a week and another one is filled.
struct UnpackedFolders: Sendable {
  private let folder: URL
  private let now: Date
  private let files: FileSystem

  /// How long a folder is kept after its last use, in nanoseconds.
  private static let retention: Int64 = 7 * 24 * 3_600 * 1_000_000_000
  /// What the names of folders end with that are being removed.
  private static let removedSuffix = ".removed"
  /// How often a folder may go before it is locked; there are file systems that give a file a new
  /// number each time, so that none is ever the same.
  private static let attempts = 10

  /// Describes the folder, which is made when it is needed.
  init(_ folder: URL, now: Date, files: FileSystem = .live) {
    self.folder = folder
    self.now = now
    self.files = files
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
  /// - Returns: The lock, which keeps the folder where it is.
  /// - Throws: ``FileError``.
  func open(_ url: URL) throws(FileError) -> FileLock {
    let lock = try lock(url)
    removeUnused()
    // Its age counts from its last use; where that cannot be written, it goes the sooner.
    try? FileManager.default.setAttributes(
      [.modificationDate: now], ofItemAtPath: url.path(percentEncoded: false))
    return lock
  }

  /// Makes a folder unless it is there, and locks it.
  private func lock(_ url: URL) throws(FileError) -> FileLock {
    var attempt = 1
    while true {
      try files.createFolder(url, permissions: 0o700)
      do {
        // A process that removes it holds the lock only while it renames it.
        let lock = try FileLock.wait(.shared, on: .item(url), in: files)
        guard try !lock.isOn(url), attempt < Self.attempts else { return lock }
      } catch .absent where attempt < Self.attempts {
        // It was removed before it could be opened.
      }
      attempt += 1
    }
  }

  /// Removes what was not used for long; what cannot be removed is tried again.
  private func removeUnused() {
    let latest = Int64(min(max(now.timeIntervalSince1970, 0), 9e9) * 1e9) - Self.retention
    // Without a listing there is nothing to remove.
    let items = (try? FolderListing(of: folder).items) ?? []
    for item in items where item.isFolder && item.stamp.modified < latest {
      let url = folder.appending(path: item.name)
      // What is in use, or cannot be locked, stays.
      guard let lock = try? FileLock.attempt(.exclusive, on: .item(url), in: files),
        lock.isEffective
      else { continue }
      defer { lock.release() }
      // It may have been used since it was listed, and what cannot be looked at stays.
      guard (try? lock.isOn(url)) == true, let status = try? FileStatus(at: url),
        status.modified < latest
      else { continue }
      remove(url, keptBy: lock)
    }
  }

  /// Removes a folder, which is renamed first: the next process that needs it makes a new one.
  ///
  /// - Parameters:
  ///   - url: The folder.
  ///   - lock: What keeps others from opening it. Those who wait for it need not wait for gigabytes to be
  ///     removed.
  private func remove(_ url: URL, keptBy lock: FileLock) {
    let name = url.lastPathComponent
    let isNamed = name.hasSuffix(Self.removedSuffix)
    let target = isNamed ? url : folder.appending(path: name + Self.removedSuffix)
    if !isNamed {
      // What is left of one that was removed before keeps the name from being given.
      try? files.erase(target)
      // What cannot get it stays, and is looked at at the next occasion.
      try? files.rename(url, to: target)
    }
    lock.release()
    // What is left of it is removed at the next occasion.
    try? files.erase(target)
  }

  /// FNV-1a, by Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo: names folders, secures nothing.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
