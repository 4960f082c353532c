internal import Foundation
internal import PortolanLocks
internal import PortolanSQLite
internal import PortolanTiles

/// Reads tiles where the caller runs, one at a time: a tile takes microseconds, and a way to a queue and
/// back many times as long.
///
/// It waits for nobody's lock. What it cannot read is for the connections of the store, which find out
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
    var sources: [String: CachedSourceID] = [:]

    init(_ connection: consuming Connection) { self.connection = connection }
  }

  private let opened: Locked<Opened>

  /// Opens the file at `url`.
  init(at url: URL) throws(DatabaseError) {
    opened = Locked(
      Opened(try Connection(at: url, access: .readOnly, patience: .zero)))
  }

  /// What is known of a tile; `nil` if there is no source of that name.
  func tile(
    at tile: TileID, ofSourceNamed name: String
  ) throws(DatabaseError) -> Finding? {
    try opened.withLock { opened throws(DatabaseError) in
      if let known = opened.sources[name] {
        return Finding(
          source: known, found: try TileCacheStore.find(tile, of: known, opened.connection))
      }
      let query = try opened.connection.query("SELECT id FROM source WHERE name = ?1", .text(name))
      guard try query.step() else { return nil }
      let source = CachedSourceID(number: query.integer(at: 0))
      opened.sources[name] = source
      return Finding(
        source: source, found: try TileCacheStore.find(tile, of: source, opened.connection))
    }
  }
}
