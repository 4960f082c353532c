internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// The state of a geodatabase or GeoPackage that changes with each edit: the sizes and dates of its
/// file, of its journals and of what Portolan keeps beside it.
struct GeodatabaseState: Hashable, Sendable, Codable {
  private struct File: Hashable, Codable {
    let name: String
    let byteCount: Int
    let modified: Int64
    /// What SQLite counts up with a transaction, in the header of the database; `nil` for what lies beside it,
    /// where it cannot be read, and in records from before it was noted.
    ///
    /// Systems that date files coarsely give two transactions the same date.
    let counter: Data?

    /// Whether it is unchanged since an earlier look; where one of them knows no counter, size and date have
    /// to do.
    func isUnchanged(since earlier: File) -> Bool {
      guard name == earlier.name, byteCount == earlier.byteCount, modified == earlier.modified
      else { return false }
      return counter == earlier.counter || counter == nil || earlier.counter == nil
    }
  }

  /// Where the counter is.
  ///
  /// - SeeAlso: [File change counter](https://www.sqlite.org/fileformat2.html#file_change_counter)
  private static let counterBytes = 24..<28

  private let files: [File]

  /// What SQLite has counted up in the database.
  var changeCounter: Data? { files.lazy.compactMap(\.counter).first }

  /// Whether there is a journal with something in it.
  var hasJournal: Bool { files.contains { CarriedGeodatabases.isJournal($0.name) } }

  /// Looks at a geodatabase.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` if that is not permitted.
  init(of url: URL) throws(LibraryError) {
    let folder = url.deletingLastPathComponent()
    var files: [File] = []
    for name in try Self.companions(of: url) where !name.hasSuffix("-shm") {
      let status: FileStatus?
      do { status = try FileStatus(at: folder.appending(path: name)) } catch {
        throw LibraryError(reading: error)
      }
      let isDatabase = name == url.lastPathComponent
      // A journal that was emptied says as little as one that was removed.
      guard let status, isDatabase || status.byteCount > 0 else { continue }
      files.append(
        File(
          name: name, byteCount: status.byteCount, modified: status.modified,
          counter: isDatabase ? Self.counter(of: url) : nil))
    }
    self.files = files
  }

  /// What SQLite has counted up with transactions, in the header of a database; `nil` where it cannot be read.
  static func counter(of database: URL) -> Data? {
    try? LockedFileBytes.bytes(of: database, in: counterBytes)  // as said above
  }

  /// Whether it is unchanged since an earlier look.
  ///
  /// A journal that is gone since says nothing as long as the file is the same: SQLite removes one when
  /// its last reader closes, whose contents are in the database already.
  func isUnchanged(since earlier: GeodatabaseState?) -> Bool {
    // A link has no file of its own; what it leads to may have been written to.
    guard let earlier, !files.isEmpty else { return false }
    let names = Set(files.map(\.name))
    let before = earlier.files.filter {
      names.contains($0.name) || !CarriedGeodatabases.isJournal($0.name)
    }
    return files.count == before.count
      && zip(files, before).allSatisfy { $0.isUnchanged(since: $1) }
  }

  /// The names of a geodatabase and of the files beside it that belong to it: its journals, and what
  /// other programs have put there under its name, as `x.gpkg.aux.xml`.
  static func companions(of url: URL) throws(LibraryError) -> [String] {
    let (folder, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
    var companions: [String] = []
    for other in try names(in: folder) where belongs(other, to: name) {
      let status: FileStatus?
      do { status = try FileStatus(at: folder.appending(path: other)) } catch {
        throw LibraryError(reading: error)
      }
      if status?.kind == .file { companions.append(other) }
    }
    return companions
  }

  /// Whether a path is that of a geodatabase or, by its name, of a file beside it that belongs to it.
  static func belongs(_ path: String, to geodatabase: String) -> Bool {
    guard path.hasPrefix(geodatabase) else { return false }
    let rest = path.dropFirst(geodatabase.count)
    return rest.isEmpty || (rest.hasPrefix("-") || rest.hasPrefix(".")) && !rest.contains("/")
  }

  /// The paths of the geodatabases and GeoPackages of a version, in order.
  ///
  /// A link that leads to a file may lead to edits; one that leads nowhere, as a pipe does, has none. Links to
  /// folders are followed only where the version itself is one: its edits would pass for none.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` if a folder cannot be listed: one may be in it.
  static func paths(in version: URL) throws(LibraryError) -> [String] {
    guard try leads(version, to: .folder) else { return [] }
    var paths: [String] = []
    for name in try names(in: version) {
      let url = version.appending(path: name)
      // A folder may be named like a database.
      guard try isFolder(url) else {
        if StoredFile.isEditableDatabase(name), try leads(url, to: .file) { paths.append(name) }
        continue
      }
      paths += try Self.paths(in: url).map { "\(name)/\($0)" }
    }
    return paths
  }

  private static func isFolder(_ url: URL) throws(LibraryError) -> Bool {
    do { return try FileStatus(at: url)?.kind == .folder } catch {
      throw LibraryError(reading: error)
    }
  }

  private static func leads(_ url: URL, to kind: FileType) throws(LibraryError) -> Bool {
    do { return try FileStatus(at: url, links: .followed)?.kind == kind } catch {
      throw LibraryError(reading: error)
    }
  }

  private static func names(in folder: URL) throws(LibraryError) -> [String] {
    let path = folder.path(percentEncoded: false)
    do { return try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
      throw .unreadable(file: path, reason: error.plainReason)
    }
  }
}
