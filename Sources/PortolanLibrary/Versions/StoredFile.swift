public import Foundation
internal import PortolanCrypto
internal import PortolanFiles
internal import PortolanSQLite

/// A file of a version as it was when the version was installed.
public struct StoredFile: Hashable, Sendable, Codable {
  /// Its path below the folder of the version; empty for a version that is one file.
  public let path: String
  /// The bytes in it.
  public let byteCount: Int
  /// When it was written last, in nanoseconds since 1970.
  public let modified: Int64
  /// The SHA-256 digest of its bytes; `nil` where they were not read.
  public let digest: Data?
  /// What SQLite has counted up with the transactions of a database that people may edit; `nil` of other
  /// files, and where an earlier Portolan has installed the version.
  public internal(set) var changeCounter: Data?

  /// Whether it is a geodatabase or a GeoPackage, which people may edit.
  var isEditableDatabase: Bool { Self.isEditableDatabase(path) }

  /// What the names of SQLite's journals end with, after that of their database.
  static let journalSuffixes = ["-journal", "-wal", "-shm"]

  /// Whether a name is that of a database which people may edit, or of one of its journals.
  static func isOfEditableDatabase(_ name: String) -> Bool {
    isEditableDatabase(databaseName(of: name))
  }

  /// The name of the database that a journal belongs to; that of a database is its own.
  static func databaseName(of name: String) -> String {
    journalSuffixes.first(where: name.hasSuffix).map { String(name.dropLast($0.count)) } ?? name
  }

  /// Whether people may edit a file of this name.
  static func isEditableDatabase(_ path: String) -> Bool {
    [".geodatabase", ".gpkg"].contains { path.lowercased().hasSuffix($0) }
  }

  /// Whether a file begins as the databases of SQLite do.
  static func beginsAsDatabase(_ url: URL) throws(DatabaseError) -> Bool {
    try LockedFileBytes.bytes(of: url, in: 0..<15).elementsEqual("SQLite format 3".utf8)
  }

  /// The location in a version.
  func url(in version: URL) -> URL { Self.url(of: path, in: version) }

  static func url(of path: String, in version: URL) -> URL {
    path.isEmpty ? version : version.appending(path: path)
  }
}

extension StoredFile {
  /// How the digests of files are recorded.
  enum Reading: Sendable {
    /// Not at all: only sizes and dates.
    case none
    /// Read to their end, but for files that are as they were before.
    case digests(knowing: [StoredFile])

    /// Files whose digests are known, by path; `nil` where none is wanted.
    fileprivate var known: [String: StoredFile]? {
      guard case .digests(let files) = self else { return nil }
      return Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
    }
  }

  /// The files of a map, by path; hidden ones, links and the journals of databases are left out.
  ///
  /// - Throws: ``LibraryError`` if a file cannot be read to its end, or a folder cannot be listed.
  @concurrent static func list(
    of version: URL, reading: Reading = .digests(knowing: []), in fileSystem: FileSystem = .live
  ) async throws(LibraryError) -> [StoredFile] {
    var found: [(path: String, status: FileStatus)] = []
    let depth = version.pathComponents.count
    do {
      try FileTree.walk(version, in: fileSystem) { url, status in
        let path = url.pathComponents.dropFirst(depth).joined(separator: "/")
        // A version that is one file is none of its parts, whatever its name.
        if status.kind == .file, path.isEmpty || !isIgnored(url.lastPathComponent) {
          found.append((path, status))
        }
      }
    } catch {
      throw LibraryError(reading: error)
    }
    let known = reading.known
    var files: [StoredFile] = []
    for (path, status) in found.sorted(by: { $0.path < $1.path }) {
      guard !Task.isCancelled else { throw .cancelled }
      files.append(try file(path, status, in: version, knowing: known))
    }
    return files
  }

  private static func file(
    _ path: String, _ status: FileStatus, in version: URL, knowing known: [String: StoredFile]?
  ) throws(LibraryError) -> StoredFile {
    let url = url(of: path, in: version)
    let bare = StoredFile(
      path: path, byteCount: status.byteCount, modified: status.modified, digest: nil,
      changeCounter: isEditableDatabase(url.lastPathComponent)
        ? GeodatabaseState.counter(of: url) : nil)
    guard let known else { return bare }
    if let before = known[path], before.digest != nil, bare.isUnchanged(since: before) {
      return bare.with(digest: before.digest)
    }
    return bare.with(digest: try FileDigest.digest(of: url) { _ in })
  }

  /// Whether it is as it was by its size and date, and by its counter where that was recorded.
  private func isUnchanged(since before: StoredFile) -> Bool {
    byteCount == before.byteCount && modified == before.modified
      && (before.changeCounter == nil || changeCounter == before.changeCounter)
  }

  /// The files of a version that was set aside: databases that people may edit as they are, all others as they
  /// were installed, be they altered or missing by now.
  static func asInstalled(_ installed: [StoredFile], found: [StoredFile]) -> [StoredFile] {
    let present = Set(found.map(\.path))
    let known = installed.filter { !$0.isEditableDatabase || !present.contains($0.path) }
    let paths = Set(known.map(\.path))
    return (known + found.filter { !paths.contains($0.path) }).sorted { $0.path < $1.path }
  }

  /// The same file with the digest of its bytes.
  func with(digest: Data?) -> StoredFile {
    StoredFile(
      path: path, byteCount: byteCount, modified: modified, digest: digest,
      changeCounter: changeCounter)
  }

  /// Whether a name is none of a part of a map.
  static func isIgnored(_ name: String) -> Bool {
    name.hasPrefix(".") || journalSuffixes.contains(where: name.hasSuffix)
  }
}
