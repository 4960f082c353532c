internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanSQLite
internal import Synchronization

/// The files of a package that is a ZIP archive.
///
/// Stored entries are read in place. A compressed geodatabase or tile package is decompressed once,
/// into a folder named after the archive and its state, so that a changed archive is decompressed
/// again.
final class ArchiveContents: PackageContents {
  /// The largest entry that is decompressed, in bytes.
  private static let largest = 64 << 30

  let isWritable = false
  let name: String
  let paths: [String]
  private let url: URL
  private let archive: ZIPArchive
  private let folders: UnpackedFolders
  private let folder: URL
  /// Keeps what was decompressed from being removed, once something was.
  private let use = Mutex<FileLock?>(nil)

  /// Reads the directory of the archive at `url`.
  ///
  /// Folders for decompressed entries are made in `folders` when they are needed.
  init(
    _ url: URL, unpackingInto folders: UnpackedFolders, named name: String? = nil
  ) throws(PackageError) {
    self.folders = folders
    self.url = url
    let name = name ?? url.lastPathComponent
    self.name = name
    do {
      archive = try ZIPArchive(at: url)
      paths = archive.entries.filter { $0.kind == .file }.compactMap(\.path)
      guard let status = try FileStatus(at: url, links: .followed) else {
        throw PackageError.noSuchFile(name)
      }
      folder = folders.folder(of: url, status)
    } catch let error as PackageError {
      throw error
    } catch let error as ArchiveError {
      throw PackageError(error, file: name)
    } catch {
      throw .unreadable(file: name, reason: error.plainReason)
    }
  }

  func data(at path: String, limit: Int) throws(PackageError) -> Data {
    do { return try archive.data(named: path, limit: limit) } catch {
      throw PackageError(error, file: name, place: path)
    }
  }

  func location(of path: String) throws(PackageError) -> FileLocation {
    do {
      guard let entry = try archive.entry(named: path), let entryPath = entry.path else {
        throw ArchiveError.noSuchEntry(file: name, entry: path)
      }
      if let range = try archive.storedRange(of: entry) {
        return .region(FileRegion(url: url, offset: range.lowerBound, length: range.count))
      }
      return .file(try decompressed(entry, at: folder.appending(path: entryPath)))
    } catch let error as PackageError {
      throw error
    } catch let error as ArchiveError {
      throw PackageError(error, file: name, place: path)
    } catch {
      throw .unreadable(file: name, reason: Self.reason(error))
    }
  }

  /// The entry as a file of its own, which arrives under another name and gets its own when it is
  /// whole.
  private func decompressed(_ entry: ZIPEntry, at target: URL) throws -> URL {
    let isThere = FileSystem.live.exists(target)
    try archive.checkSize(of: entry, limit: Self.largest)
    if !isThere || use.withLock({ $0 == nil }) {
      let lock = try folders.open(folder)
      use.withLock { $0 = lock }
    }
    guard !FileSystem.live.exists(target) else { return target }
    try FileSystem.live.createFolder(target.deletingLastPathComponent(), permissions: 0o700)
    try archive.unpack(entry, to: target, limit: Self.largest)
    return target
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? FileError else { return error.plainReason }
    return "it cannot be decompressed in \(error.file ?? "the home folder"): \(error.reason)"
  }
}
