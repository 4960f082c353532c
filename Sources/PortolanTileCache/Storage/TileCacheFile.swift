internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// Opens the file of a cache, and sets aside one that is none.
struct TileCacheFile: Sendable {
  let url: URL

  /// An open cache.
  struct Opened: Sendable {
    var writer: Database
    var reader: Database
    /// Which file it is.
    var identity: FileIdentity?
    /// Where what was there before is now, if it was no sound cache.
    var setAside: URL?
  }

  /// Opens the cache, or makes an empty one.
  ///
  /// A cache can be filled again, so that a file which is damaged, or of another program, is moved
  /// out of the way, not repaired, and never removed.
  /// So is what was open until its damage showed (`damaged`), unless somebody else has moved it.
  func open(instead damaged: Opened? = nil) throws(TileCacheError) -> Opened {
    do {
      try prepareFolder()
      let isStillThere = damaged != nil && damaged?.identity == identity
      if !isStillThere, let opened = try openIfSound() { return opened }
      let aside = try moveAside()
      guard var opened = try openIfSound() else {
        throw TileCacheError.storage(
          file: url.path(percentEncoded: false), reason: "what is there cannot be moved away")
      }
      opened.setAside = aside
      return opened
    } catch {
      throw TileCacheError(error, file: url)
    }
  }

  /// Which file is there now; `nil` if nobody can tell.
  private var identity: FileIdentity? {
    // A file that cannot be looked at is not the one that was open.
    (try? FileStatus(at: url))?.identity
  }

  private func prepareFolder() throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    if !FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) {
      // SQLite says better than this why it cannot be created.
      _ = FileManager.default.createFile(
        atPath: url.path(percentEncoded: false), contents: nil,
        attributes: [.posixPermissions: 0o600])
    }
  }

  private func openIfSound() throws -> Opened? {
    do {
      guard try prepareTables() else { return nil }
      return Opened(
        writer: try Database(at: url, access: .readWrite, configure: TileCacheSchema.configure),
        reader: try Database(at: url, access: .readWrite, configure: TileCacheSchema.configure),
        identity: identity)
    } catch let error as DatabaseError
      where error.code == .corrupt || error.code == .notADatabase
    {
      return nil
    }
  }

  /// Makes the tables of a new file.
  ///
  /// - Returns: Whether the file is a cache.
  private func prepareTables() throws -> Bool {
    let connection = try Connection(at: url, access: .create)
    switch try TileCacheSchema.look(at: connection) {
    case .foreign: return false
    case .newer(let version):
      throw TileCacheError.newerCache(file: url.path(percentEncoded: false), version: version)
    case .ours: return try isReadable(connection)
    case .empty:
      try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
      try TileCacheSchema.configure(connection)
      try connection.transaction { connection in
        // Another process may have been first.
        guard try TileCacheSchema.look(at: connection) == .empty else { return }
        try TileCacheSchema.create(connection)
      }
      return true
    }
  }

  /// Reads a little of each table, so that a file that was cut is noticed before it is used.
  private func isReadable(_ connection: borrowing Connection) throws(DatabaseError) -> Bool {
    for table in ["source", "content", "body", "tile", "region"] {
      let query = try connection.query("SELECT 1 FROM \(table) ORDER BY rowid DESC LIMIT 1")
      _ = try query.step()
    }
    let query = try connection.query("SELECT bytes FROM totals")
    return try query.step()
  }

  /// Moves the file and its journal to names that nothing bears.
  private func moveAside() throws -> URL {
    let path = url.path(percentEncoded: false)
    for number in 1...1_000 {
      let aside = URL(filePath: "\(path).set-aside-\(number)")
      guard !FileSystem.live.exists(aside) else { continue }
      try FileSystem.live.move(url, to: aside)
      for suffix in ["-wal", "-shm", "-journal"] {
        let beside = URL(filePath: path + suffix)
        guard FileSystem.live.exists(beside) else { continue }
        try FileSystem.live.move(
          beside, to: URL(filePath: aside.path(percentEncoded: false) + suffix))
      }
      try prepareFolder()
      return aside
    }
    throw TileCacheError.storage(file: path, reason: "too many damaged caches lie beside it")
  }
}
