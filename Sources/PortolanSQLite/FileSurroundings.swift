internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The file system's state of a database and the files beside it.
struct FileSurroundings {
  let path: String
  private let status: stat?

  init(_ path: String) {
    self.path = path
    status = Self.status(path)
  }

  /// Refuses what is there and no file; opening a pipe would wait for a writer.
  func check() throws(DatabaseError) {
    guard let status, status.st_mode & S_IFMT != S_IFREG else { return }
    throw DatabaseError(
      extendedCode: SQLITE_CANTOPEN, message: "it is no regular file", sql: nil, file: path)
  }

  /// Refuses a database that was cut to nothing while its log is there.
  ///
  /// SQLite would take the log for one that another file of that name has left, and remove it, with what
  /// was committed to it, as soon as it is read.
  func checkLog() throws(DatabaseError) {
    guard let status, status.st_size == 0, journals.contains("-wal") else { return }
    throw DatabaseError(
      extendedCode: SQLITE_CORRUPT,
      message: "it is empty, and what was committed to its log cannot be read without it", sql: nil,
      file: path)
  }

  /// Whether this process may change the file, and make a journal beside it.
  ///
  /// A file or folder without any write permission is read-only for the administrator as well.
  var mayBeWritten: Bool {
    !isOnReadOnlyMedium && Self.isWritable(path, W_OK) && Self.isWritable(folder, W_OK | X_OK)
  }

  /// Whether the medium is read-only for every user of this machine.
  var isOnReadOnlyMedium: Bool {
    var system = statvfs()
    guard unsafe statvfs(path, &system) == 0 else { return false }
    return system.f_flag & UInt(ST_RDONLY) != 0
  }

  /// The suffixes of the files beside the database whose contents belong to it.
  ///
  /// A journal is to be rolled back, a log to be taken over; empty ones say nothing.
  var journals: [String] {
    ["-journal", "-wal"].filter { Self.status(path + $0).map { $0.st_size > 0 } ?? false }
  }

  /// Whether the index of a write-ahead log is there, by which readers find their way in it.
  var hasLogIndex: Bool { Self.status(path + "-shm") != nil }

  /// The identity of the file, whatever its name; `nil` if there is none.
  var identity: [Int]? { status.map { [Int($0.st_dev), Int($0.st_ino)] } }

  /// Changes whenever the file or its journals are written.
  var stamp: [[Int]] {
    ["", "-journal", "-wal"].map { suffix in
      guard let status = Self.status(path + suffix) else { return [] }
      return [
        Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      ]
    }
  }

  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  private static func isWritable(_ path: String, _ rights: Int32) -> Bool {
    guard let status = status(path), status.st_mode & 0o222 != 0 else { return false }
    return unsafe access(path, rights) == 0
  }
}
