internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// Opens the file of a cache, sets aside one that is none, and carries over what a damaged one holds.
struct TileCacheFile: Sendable {
  let url: URL

  /// What SQLite needs beside the file for the index of its log, before it writes anything.
  private static let indexSize = 64 << 10

  /// An open cache.
  struct Opened: Sendable {
    /// Writes; else why nothing can be written, as on a full disk or a read-only medium.
    var writer: Result<Database, TileCacheError>
    var reader: Database
    /// Reads tiles without a queue; `nil` where that is not possible.
    var tiles: TileReader?
    /// Which file it is.
    var identity: FileIdentity?
    /// Where what was there before is now, if it was no sound cache.
    var setAside: URL?

    /// Whether it can only be read.
    var isReadOnly: Bool {
      if case .failure = writer { true } else { false }
    }
  }

  /// Opens the cache, or makes an empty one; one that cannot be written is opened to be read.
  func open(instead damaged: Opened? = nil) throws(TileCacheError) -> Opened {
    do throws(TileCacheError) { return try openForWriting(instead: damaged) } catch {
      // What keeps it from being written is the reason that matters.
      guard damaged == nil, let opened = try? openForReading(because: error) else { throw error }
      return opened
    }
  }

  /// Opens the cache, or makes an empty one.
  ///
  /// A file which is damaged, or of another program, is moved out of the way, and never removed. What
  /// can be read of a damaged cache is in the new one.
  /// So is what was open until its damage showed (`damaged`), unless another process has moved it.
  func openForWriting(instead damaged: Opened? = nil) throws(TileCacheError) -> Opened {
    do {
      try prepareFolder()
      if damaged == nil, let opened = try openIfThere() {
        reserve.fill()
        return opened
      }
      // One process at a time; the others find what the first has made.
      let lock = try FileLock.wait(.exclusive, on: .lockFile(URL(filePath: "\(path).locks")))
      defer { lock.release() }
      try prepareFile()
      let isStillThere = damaged != nil && damaged?.identity == identity
      if !isStillThere, let opened = try openIfSound() {
        reserve.fill()
        return opened
      }
      let rebuilt = try rebuild()
      let aside = try moveAside()
      if let rebuilt { try FileSystem.live.move(rebuilt, to: url) }
      try prepareFile()
      guard var opened = try openIfSound() else {
        throw TileCacheError.storage(
          file: path, reason: "what is there cannot be moved away")
      }
      opened.setAside = aside
      return opened
    } catch {
      throw TileCacheError(error, file: url)
    }
  }

  /// Whether the disk has room for what SQLite makes before it writes.
  var hasRoom: Bool {
    FreeSpace.byteCount(at: url.deletingLastPathComponent()) ?? .max >= Self.indexSize
  }

  /// The space that is released on a full disk, so that regions can be deleted to make room.
  var reserve: DiskReserve { DiskReserve(at: URL(filePath: "\(path).reserve")) }

  var path: String { url.path(percentEncoded: false) }

  /// A new cache with what can be read of the damaged one, beside it; `nil` if nothing can.
  ///
  /// Until it is whole it has another name, and a crash leaves what was there.
  private func rebuild() throws -> URL? {
    let (unfinished, finished) = (
      URL(filePath: "\(path).rebuilding"), URL(filePath: "\(path).rebuilt")
    )
    do {
      for withTiles in [true, false] {
        try removeDatabase(at: unfinished)
        do {
          guard try carry(into: unfinished, withTiles: withTiles) else { return nil }
          try expectWhole(unfinished)
          try removeDatabase(at: finished)
          try FileSystem.live.move(unfinished, to: finished)
          return finished
        } catch let error as DatabaseError where error.code == .full && withTiles {
          // Without room for a second copy of the tiles the regions are known at least.
        }
      }
      return nil
    } catch let error as DatabaseError where error.code == .full {
      try removeDatabase(at: unfinished)
      return nil
    }
  }

  /// Makes a cache of what can be read of this one.
  ///
  /// - Returns: Whether anything can.
  private func carry(into target: URL, withTiles: Bool) throws -> Bool {
    _ = try TileCacheFile(url: target).prepareTables(isNew: true)
    guard let damaged = try TileCacheSalvage.damagedCache(at: url) else {
      try removeDatabase(at: target)
      return false
    }
    let salvage = TileCacheSalvage(
      from: damaged, into: try Connection(at: target, access: .readWrite))
    try salvage.run(withTiles: withTiles)
    return true
  }

  /// Refuses a cache of which a part is still in its log, which is not moved along.
  private func expectWhole(_ place: URL) throws {
    let log = URL(filePath: place.path(percentEncoded: false) + "-wal")
    guard let size = try FileStatus(at: log)?.byteCount, size > 0 else { return }
    let connection = try Connection(at: place, access: .readWrite)
    let query = try connection.query("PRAGMA wal_checkpoint(TRUNCATE)")
    guard try query.step(), query.integer(at: 0) == 0 else {
      throw TileCacheError.storage(file: path, reason: "its copy cannot be written to its end")
    }
  }

  /// Removes a file of ours that was never a cache in use.
  private func removeDatabase(at place: URL) throws {
    for suffix in [""] + Self.journals {
      let file = URL(filePath: place.path(percentEncoded: false) + suffix)
      if FileSystem.live.exists(file) { try FileManager.default.removeItem(at: file) }
    }
  }

  /// Which file is there now; `nil` if that is unknown.
  private var identity: FileIdentity? {
    // A file that cannot be looked at is not the one that was open.
    (try? FileStatus(at: url))?.identity
  }

  private func prepareFolder() throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  /// Makes an empty file where there is none, or puts the cache there that was rebuilt when a crash came
  /// before it was in its place; to be called by one process at a time.
  private func prepareFile() throws {
    guard !FileSystem.live.exists(url) else { return }
    try clearJournals()
    let rebuilt = URL(filePath: "\(path).rebuilt")
    guard !FileSystem.live.exists(rebuilt) else {
      return try FileSystem.live.move(rebuilt, to: url)
    }
    // SQLite says better than this why it cannot be created.
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
  }

  /// Opens a cache of which nothing can be changed; `nil` if it is none of ours.
  private func openForReading(because error: TileCacheError) throws -> Opened? {
    var finding = TileCacheSchema.Finding.empty
    let reader = try Database(at: url, access: .readOnly) { connection throws(DatabaseError) in
      finding = try TileCacheSchema.look(at: connection)
    }
    guard finding == .ours else { return nil }
    return Opened(writer: .failure(obstacle(error)), reader: reader, identity: identity)
  }

  /// Why a file cannot be written that can be read.
  private func obstacle(_ error: TileCacheError) -> TileCacheError {
    // That there is no room for its index SQLite calls a failure of the disk.
    guard hasRoom, error != .diskFull(file: path) else { return .diskFull(file: path) }
    return .storage(file: path, reason: "it can be read, and not be written")
  }

  /// Opens the file without making one; another process may be moving it away.
  private func openIfThere() throws -> Opened? {
    guard FileSystem.live.exists(url) else { return nil }
    let before = identity
    do {
      let opened = try openIfSound()
      // Of what was moved meanwhile some connections lead to the old file and some to the new one.
      return opened?.identity == before ? opened : nil
    } catch {
      guard FileSystem.live.exists(url), identity == before else { return nil }
      throw error
    }
  }

  private func openIfSound() throws -> Opened? {
    do {
      guard try prepareTables() else { return nil }
      return Opened(
        writer: .success(
          try Database(at: url, access: .readWrite, configure: TileCacheSchema.configureWriter)),
        reader: try Database(at: url, access: .readWrite, configure: TileCacheSchema.configure),
        // Without it the other connections read.
        tiles: try? TileReader(at: url), identity: identity)
    } catch let error as DatabaseError
      where error.code == .corrupt || error.code == .notADatabase
    {
      return nil
    }
  }

  /// Makes the tables of a new file; `isNew` says that the file may not be there.
  ///
  /// - Returns: Whether the file is a cache.
  private func prepareTables(isNew: Bool = false) throws -> Bool {
    // A file that is moved away at this moment must not be made again, with nothing in it.
    let connection = try Connection(at: url, access: isNew ? .create : .readWrite)
    switch try TileCacheSchema.look(at: connection) {
    case .foreign: return false
    case .newer(let version):
      throw TileCacheError.newerCache(file: url.path(percentEncoded: false), version: version)
    case .ours:
      guard try isReadable(connection) else { return false }
      // A full disk or another writer does not prevent opening it; it is retried next time.
      try? SourceKeyFile(of: url).moveApart(connection)
      return true
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
}
