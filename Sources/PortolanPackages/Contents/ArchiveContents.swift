internal import Foundation
internal import PortolanArchives
internal import PortolanSQLite

/// The files of a package that is a ZIP archive.
///
/// Stored entries are read in place. A compressed geodatabase or tile package is unpacked once, into
/// a folder named after the archive and its state, so that a changed archive is unpacked anew.
struct ArchiveContents: PackageContents {
  /// The largest entry that is unpacked, in bytes.
  static let unpackedLimit = 64 << 30

  let isWritable = false
  let name: String
  let paths: [String]
  private let url: URL
  private let archive: ZIPArchive
  private let unpackingFolder: URL

  /// Reads the directory of the archive at `url`.
  ///
  /// Folders for unpacked entries are made in `unpackingFolder` when they are needed.
  init(_ url: URL, unpackingInto unpackingFolder: URL) throws(PackageError) {
    self.url = url
    name = url.lastPathComponent
    do {
      archive = try ZIPArchive(at: url)
      paths = archive.entries.filter { $0.kind == .file }.compactMap(\.path)
      self.unpackingFolder = unpackingFolder.appending(path: try FileState(of: url).folderName)
    } catch let error as ArchiveError {
      throw PackageError(error, file: name)
    } catch {
      throw .unreadable(file: name, reason: error.localizedDescription)
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
      let target = unpackingFolder.appending(path: entryPath)
      if !FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) {
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        // The entry arrives under another name and gets its own when it is whole.
        try archive.unpack(entry, to: target, limit: Self.unpackedLimit)
      }
      return .file(target)
    } catch let error as ArchiveError {
      throw PackageError(error, file: name, place: path)
    } catch {
      throw .unreadable(file: name, reason: error.localizedDescription)
    }
  }
}

/// What tells one state of a file from another without reading it.
private struct FileState {
  /// A name for a folder that belongs to this state of the file.
  let folderName: String

  init(of url: URL) throws {
    let path = url.resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let size = (attributes[.size] as? Int) ?? 0
    let modified = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    let inode = (attributes[.systemFileNumber] as? Int) ?? 0
    let state = "\(path)|\(size)|\(modified)|\(inode)"
    let stem = url.deletingPathExtension().lastPathComponent
    folderName = "\(stem.prefix(40))-\(String(Self.hash(state), radix: 16))"
  }

  /// FNV-1a, by Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo: names folders, secures nothing.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
