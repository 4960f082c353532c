internal import Foundation
internal import PortolanLocks
internal import PortolanSQLite
internal import PortolanTiles

/// Reads tiles where the caller runs, one at a time: a tile takes microseconds, and a way to a queue and
/// back many times as long.
///
/// It waits for no lock. What it cannot read is for the connections of the store, which find out
/// why.
final class TileReader: Sendable {
  /// A tile as it was found, and of which source.
  struct Finding: Sendable {
    var source: CachedSourceID
    /// What is known of the tile; `nil` if nothing is.
    var found: FoundTile?
  }

  private final class Opened {
    let connection: Connection
    let keys: SourceKeyFile
    /// Finds a tile; held, since looking a statement up is a good part of what finding a tile takes.
    private let finding: Query
    var sources: [String: Source] = [:]

    init(_ connection: consuming Connection, _ keys: SourceKeyFile) throws(DatabaseError) {
      finding = try connection.query(TileCacheStore.finding)
      self.connection = connection
      self.keys = keys
    }

    func find(_ tile: TileID, of source: CachedSourceID) throws(DatabaseError) -> FoundTile? {
      // Open readers keep the log from being emptied.
      defer { finding.reset() }
      return try TileCacheStore.find(tile, of: source, by: finding)
    }
  }

  /// A source that was found.
  private final class Source {
    let id: CachedSourceID
    let config: MapCacheConfig

    init(_ id: CachedSourceID, _ config: MapCacheConfig) {
      self.id = id
      self.config = config
    }
  }

  private let opened: Locked<Opened>

  /// Opens the file at `url`.
  init(at url: URL) throws(DatabaseError) {
    opened = Locked(
      try Opened(
        try Connection(at: url, access: .readOnly, patience: .zero), SourceKeyFile(of: url)))
  }

  /// What is known of a tile; `nil` if there is no source of that name at the same address.
  func tile(
    at tile: TileID, of config: MapCacheConfig
  ) throws(DatabaseError) -> Finding? {
    try opened.withLock { opened throws(DatabaseError) in
      guard var source = try Self.source(config, opened) else { return nil }
      var found = try opened.find(tile, of: source)
      if found == nil, try !Self.isKnown(source, as: config.cacheName, opened) {
        // It was removed since, and may be here again with another number.
        opened.sources[config.cacheName] = nil
        guard let again = try Self.source(config, opened) else { return nil }
        source = again
        found = try opened.find(tile, of: source)
      }
      return Finding(source: source, found: found)
    }
  }

  /// Whether a number is still that of the source of a name.
  private static func isKnown(
    _ source: CachedSourceID, as name: String, _ opened: Opened
  ) throws(DatabaseError) -> Bool {
    let query = try opened.connection.query(
      "SELECT 1 FROM source WHERE id = ?1 AND name = ?2", .integer(source.number), .text(name))
    return try query.step()
  }

  private static func source(
    _ config: MapCacheConfig, _ opened: Opened
  ) throws(DatabaseError) -> CachedSourceID? {
    if let known = opened.sources[config.cacheName], known.config.isSame(as: config) {
      return known.id
    }
    guard let source = try TileCacheStore.knownSource(of: config, opened.keys, opened.connection)
    else { return nil }
    opened.sources[config.cacheName] = Source(source, config)
    return source
  }
}
