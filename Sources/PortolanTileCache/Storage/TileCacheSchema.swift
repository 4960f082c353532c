internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// The tables of a cache.
///
/// The bytes of a tile are kept once however many tiles have them: a `tile` refers to a `content`,
/// known by its digest, whose bytes are in `body`. Triggers count who refers to what and how many
/// bytes there are, in the transaction of each change, so that the totals are exact whatever
/// happens between two transactions.
enum TileCacheSchema {
  /// ASCII `PTLC`.
  static let applicationID: Int32 = 0x5054_4C43
  /// The version of these tables.
  static let version: Int32 = 1

  /// What a file turned out to be.
  enum Finding: Equatable {
    case empty, ours
    case newer(Int)
    case foreign(String)
  }

  /// Says what a file is; one that is no database throws.
  static func look(at connection: borrowing Connection) throws(DatabaseError) -> Finding {
    let id = try connection.applicationID()
    let found = Int(try connection.userVersion())
    let query = try connection.query("SELECT count(*) FROM sqlite_schema")
    let tableCount = try query.step() ? query.integer(at: 0) : 0
    if id == applicationID {
      if tableCount == 0 { return .empty }
      return found == version ? .ours : .newer(found)
    }
    return tableCount == 0 && id == 0
      ? .empty : .foreign("it is a database of another program")
  }

  /// Makes readers independent of writers, and commits cheap: a killed process loses no commit, a power
  /// cut the last ones at most.
  ///
  /// All but the first are settings of a connection, so that each needs them.
  static func configure(_ connection: borrowing Connection) throws(DatabaseError) {
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = NORMAL")
    try connection.execute("PRAGMA journal_size_limit = 16777216")
    // Pages that become free are not overwritten: tiles are no secrets, and making room is frequent.
    try connection.execute("PRAGMA secure_delete = OFF")
    // What a statement would have to roll back is some hundred kilobytes, for which SQLite otherwise makes
    // a file with each tile that is stored, and removes it again.
    try connection.execute("PRAGMA temp_store = MEMORY")
  }

  /// The same for the connection that writes, which keeps the indexes in memory: they are small, and
  /// each tile that is stored changes all of them.
  static func configureWriter(_ connection: borrowing Connection) throws(DatabaseError) {
    try configure(connection)
    // A checkpoint waits for the disk, with one every 16 MB for a third of what writing takes: one every 64.
    try connection.execute("PRAGMA wal_autocheckpoint = 16384")
    // The log keeps that length: shortening it means to grow it again with the next tiles.
    try connection.execute("PRAGMA journal_size_limit = 67108864")
    try connection.execute("PRAGMA cache_size = -8192")
  }

  /// Makes the tables; in a transaction of the caller.
  static func create(_ connection: borrowing Connection) throws(DatabaseError) {
    for statement in tables + triggers { try connection.execute(statement) }
    try connection.setApplicationID(applicationID)
    try connection.setUserVersion(version)
  }

  private static let tables = [
    """
    CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      definition BLOB NOT NULL, hits INTEGER NOT NULL DEFAULT 0,
      misses INTEGER NOT NULL DEFAULT 0)
    """,
    """
    CREATE TABLE content (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE,
      size INTEGER NOT NULL, uses INTEGER NOT NULL DEFAULT 0, pinned INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE TABLE body (id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    """
    CREATE TABLE tile (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, z INTEGER NOT NULL,
      y INTEGER NOT NULL, x INTEGER NOT NULL, content INTEGER, etag TEXT, modified TEXT,
      fetched REAL NOT NULL, lifetime REAL, used INTEGER NOT NULL, pins INTEGER NOT NULL DEFAULT 0)
    """,
    "CREATE UNIQUE INDEX tile_address ON tile (source, z, y, x)",
    "CREATE INDEX tile_used ON tile (used) WHERE pins = 0",
    "CREATE INDEX tile_content ON tile (content)",
    """
    CREATE TABLE totals (tiles INTEGER NOT NULL, absent INTEGER NOT NULL, bytes INTEGER NOT NULL,
      pinned INTEGER NOT NULL, counter INTEGER NOT NULL)
    """,
    "INSERT INTO totals VALUES (0, 0, 0, 0, 0)",
    """
    CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      source INTEGER NOT NULL, definition BLOB NOT NULL, state TEXT NOT NULL,
      created REAL NOT NULL, updated REAL, stored INTEGER NOT NULL DEFAULT 0,
      absent INTEGER NOT NULL DEFAULT 0, blank INTEGER NOT NULL DEFAULT 0,
      bytes INTEGER NOT NULL DEFAULT 0, saved INTEGER NOT NULL DEFAULT 0, reason TEXT)
    """,
    """
    CREATE TABLE region_block (region INTEGER NOT NULL, pass INTEGER NOT NULL, z INTEGER NOT NULL,
      y INTEGER NOT NULL, x INTEGER NOT NULL, bits BLOB NOT NULL,
      PRIMARY KEY (region, pass, z, y, x)) WITHOUT ROWID
    """,
    """
    CREATE TABLE region_failure (region INTEGER NOT NULL, z INTEGER NOT NULL, y INTEGER NOT NULL,
      x INTEGER NOT NULL, reason TEXT NOT NULL, attempts INTEGER NOT NULL, time REAL NOT NULL,
      kept INTEGER NOT NULL,
      PRIMARY KEY (region, z, y, x)) WITHOUT ROWID
    """,
  ]

  private static let triggers = [
    """
    CREATE TRIGGER tile_added AFTER INSERT ON tile BEGIN
      UPDATE totals SET tiles = tiles + (NEW.content IS NOT NULL),
        absent = absent + (NEW.content IS NULL);
      UPDATE content SET uses = uses + 1, pinned = pinned + (NEW.pins > 0) WHERE id = NEW.content;
    END
    """,
    """
    CREATE TRIGGER tile_removed AFTER DELETE ON tile BEGIN
      UPDATE totals SET tiles = tiles - (OLD.content IS NOT NULL),
        absent = absent - (OLD.content IS NULL);
      UPDATE content SET uses = uses - 1, pinned = pinned - (OLD.pins > 0) WHERE id = OLD.content;
    END
    """,
    """
    CREATE TRIGGER tile_changed AFTER UPDATE OF content, pins ON tile
      WHEN OLD.content IS NOT NEW.content OR (OLD.pins > 0) <> (NEW.pins > 0) BEGIN
      UPDATE totals SET
        tiles = tiles + (NEW.content IS NOT NULL) - (OLD.content IS NOT NULL),
        absent = absent + (NEW.content IS NULL) - (OLD.content IS NULL);
      UPDATE content SET uses = uses + 1, pinned = pinned + (NEW.pins > 0) WHERE id = NEW.content;
      UPDATE content SET uses = uses - 1, pinned = pinned - (OLD.pins > 0) WHERE id = OLD.content;
    END
    """,
    """
    CREATE TRIGGER content_added AFTER INSERT ON content BEGIN
      UPDATE totals SET bytes = bytes + NEW.size;
    END
    """,
    """
    CREATE TRIGGER content_pinned AFTER UPDATE OF pinned ON content
      WHEN (OLD.pinned > 0) <> (NEW.pinned > 0) BEGIN
      UPDATE totals SET pinned = pinned + (CASE WHEN NEW.pinned > 0 THEN 1 ELSE -1 END) * NEW.size;
    END
    """,
    """
    CREATE TRIGGER content_unused AFTER UPDATE OF uses ON content WHEN NEW.uses = 0 BEGIN
      DELETE FROM body WHERE id = NEW.id;
      DELETE FROM content WHERE id = NEW.id;
    END
    """,
    """
    CREATE TRIGGER content_removed AFTER DELETE ON content BEGIN
      UPDATE totals SET bytes = bytes - OLD.size;
    END
    """,
  ]
}
