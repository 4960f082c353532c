public import Foundation
internal import PortolanCrypto
internal import PortolanFiles

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

  /// Whether it is a geodatabase or a GeoPackage, which people may edit.
  var isEditableDatabase: Bool { Self.isEditableDatabase(path) }

  /// Whether people may edit a file of this name.
  static func isEditableDatabase(_ path: String) -> Bool {
    [".geodatabase", ".gpkg"].contains { path.lowercased().hasSuffix($0) }
  }

  /// Where it is in a version.
  func url(in version: URL) -> URL { Self.url(of: path, in: version) }

  static func url(of path: String, in version: URL) -> URL {
    path.isEmpty ? version : version.appending(path: path)
  }
}

extension StoredFile {
  /// How the bytes of files are taken down.
  enum Reading: Sendable {
    /// Not at all: only sizes and dates.
    case none
    /// Read to their end, but for files that are as they were before.
    case digests(knowing: [StoredFile])
  }

  /// The files of a map, by path; hidden ones, links and the journals of databases are left out.
  ///
  /// - Throws: ``LibraryError`` if a file cannot be read to its end.
  @concurrent static func list(
    of version: URL, reading: Reading = .digests(knowing: [])
  ) async throws(LibraryError) -> [StoredFile] {
    var found: [(path: String, status: FileStatus)] = []
    let depth = version.pathComponents.count
    FileTree.visit(version) { url, status in
      let path = url.pathComponents.dropFirst(depth).joined(separator: "/")
      if status.kind == .file, !isIgnored(url.lastPathComponent) { found.append((path, status)) }
    }
    var files: [StoredFile] = []
    for (path, status) in found.sorted(by: { $0.path < $1.path }) {
      guard !Task.isCancelled else { throw .cancelled }
      files.append(try file(path, status, in: version, reading))
    }
    return files
  }

  private static func file(
    _ path: String, _ status: FileStatus, in version: URL, _ reading: Reading
  ) throws(LibraryError) -> StoredFile {
    let bare = StoredFile(
      path: path, byteCount: status.byteCount, modified: status.modified, digest: nil)
    guard case .digests(let known) = reading else { return bare }
    if let before = known.first(where: { $0.path == path }), before.digest != nil,
      before.byteCount == bare.byteCount, before.modified == bare.modified
    {
      return before
    }
    let digest = try FileDigest.digest(of: url(of: path, in: version)) { _ in }
    return StoredFile(
      path: path, byteCount: bare.byteCount, modified: bare.modified, digest: digest)
  }

  /// Whether a name is none of a part of a map.
  static func isIgnored(_ name: String) -> Bool {
    name.hasPrefix(".") || ["-wal", "-shm", "-journal"].contains { name.hasSuffix($0) }
  }
}
