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
  /// So is what was open until its damage showed (`damaged`), unless somebody else has moved it.
  func openForWriting(instead damaged: Opened? = nil) throws(TileCacheError) -> Opened {
    do {
      try prepareFolder()
      if damaged == nil, let opened = try openIfSound() {
        reserve.fill()
        return opened
      }
      // One process at a time; the others find what the first has made.
      let lock = try FileLock.wait(.exclusive, on: .lockFile(URL(filePath: "\(path).locks")))
      defer { lock.release() }
      let isStillThere = damaged != nil && damaged?.identity == identity
      if !isStillThere, let opened = try openIfSound() { return opened }
      let rebuilt = try rebuild()
      let aside = try moveAside()
      if let rebuilt { try FileSystem.live.move(rebuilt, to: url) }
      try prepareFolder()
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

  /// The space that is given up on a full disk, so that regions can be deleted to make room.
  var reserve: DiskReserve { DiskReserve(at: URL(filePath: "\(path).reserve")) }

  private var path: String { url.path(percentEncoded: false) }

  /// A new cache with what can be read of the damaged one, beside it; `nil` if nothing can.
  ///
  /// Until it is whole it bears another name, and a crash leaves what was there.
  private func rebuild() throws -> URL? {
    let (unfinished, finished) = (
      URL(filePath: "\(path).rebuilding"), URL(filePath: "\(path).rebuilt")
    )
    do {
      for withTiles in [true, false] {
        try removeDatabase(at: unfinished)
        do {
          guard try carry(into: unfinished, withTiles: withTiles) else { return nil }
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
    _ = try TileCacheFile(url: target).prepareTables()
    guard let damaged = try TileCacheSalvage.damagedCache(at: url) else {
      try removeDatabase(at: target)
      return false
    }
    var salvage = TileCacheSalvage(
      from: damaged, into: try Connection(at: target, access: .readWrite))
    try salvage.run(withTiles: withTiles)
    return true
  }

  /// Removes a file of ours that was never a cache in use.
  private func removeDatabase(at place: URL) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      let file = URL(filePath: place.path(percentEncoded: false) + suffix)
      if FileSystem.live.exists(file) { try FileManager.default.removeItem(at: file) }
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
    if !FileSystem.live.exists(url) {
      let rebuilt = URL(filePath: "\(path).rebuilt")
      // A crash came between the two moves.
      if FileSystem.live.exists(rebuilt) { try FileSystem.live.move(rebuilt, to: url) }
    }
    if !FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) {
      // SQLite says better than this why it cannot be created.
      _ = FileManager.default.createFile(
        atPath: url.path(percentEncoded: false), contents: nil,
        attributes: [.posixPermissions: 0o600])
    }
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

  private func openIfSound() throws -> Opened? {
    do {
      guard try prepareTables() else { return nil }
      return Opened(
        writer: .success(
          try Database(at: url, access: .readWrite, configure: TileCacheSchema.configure)),
        reader: try Database(at: url, access: .readWrite, configure: TileCacheSchema.configure),
        // Without it the other connections read.
        tiles: try? TileReader(at: url), identity: identity)
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
      return aside
    }
    throw TileCacheError.storage(file: path, reason: "too many damaged caches lie beside it")
  }
}
