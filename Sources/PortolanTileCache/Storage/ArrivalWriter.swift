internal import Foundation
internal import PortolanSQLite

/// Writes arrivals one after another, inside one transaction of the caller: what holds for all of them is
/// found out once.
struct ArrivalWriter {
  private let keys: SourceKeyFile
  /// Whether there are regions, which may keep some of the tiles.
  private let hasRegions: Bool
  /// The number of the next tile in the order of use.
  private var used: Int64
  /// The source that was found last.
  private var found: RecordedSource?

  /// Prepares to write `count` arrivals.
  init(
    of count: Int, _ keys: SourceKeyFile, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    self.keys = keys
    used = try TileRecords.count(up: count, connection)
    let regions = try connection.query("SELECT 1 FROM region LIMIT 1")
    hasRegions = try regions.step()
  }

  /// Keeps a tile, or that there is none, which takes nothing from a region.
  mutating func put(
    _ arrival: TileArrivals.Arrival, _ connection: borrowing Connection
  ) throws {
    let (stored, tile, place) = (arrival.stored, arrival.tile, used)
    used += 1
    let source = try source(of: arrival, connection)
    guard hasRegions else {
      return try TileRecords.put(stored, at: tile, of: source, used: place, connection)
    }
    guard try stored.data != nil || !TileRecords.isKept(tile, of: source, connection) else {
      return
    }
    try RegionFigures(tile, of: source).change(connection) { connection in
      try TileRecords.put(stored, at: tile, of: source, used: place, connection)
    }
  }

  /// The number of the source of an arrival: the file may be another than a moment ago, in which the number
  /// is that of another source, or the name.
  private mutating func source(
    of arrival: TileArrivals.Arrival, _ connection: borrowing Connection
  ) throws -> CachedSourceID {
    if let found, found.record == arrival.record,
      found.config.cacheName == arrival.config.cacheName
    {
      return found.id
    }
    let id = try TileCacheStore.number(
      of: arrival.config, as: arrival.record, keys, connection)
    found = arrival.record.map { RecordedSource(id: id, config: arrival.config, record: $0) }
    return id
  }
}
