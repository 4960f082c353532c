public import Foundation
internal import PortolanSQLite

/// Which tiles are removed.
///
/// Those that a region keeps stay: they go with the region.
public enum TileClearing: Hashable, Sendable {
  /// All.
  case everything
  /// Those that were fetched longer ago than this; not those that seem to come from the future.
  case olderThan(seconds: Double, now: Date)
  /// Those of one source.
  case source(CachedSourceID)
  /// Those that were used least recently, until the others have no more than so many bytes.
  case capacity(Int)
  /// Those of one source in a shape, on some levels.
  case shape(TileRegion, levels: ClosedRange<Int>, CachedSourceID)
}

/// What was removed.
public struct ClearedTiles: Hashable, Sendable {
  /// How many tiles, with those of which only was known that there are none.
  public var tileCount = 0
  /// How many bytes they had that nobody else has.
  public var byteCount = 0
  /// How many bytes less the file takes on the disk.
  public var fileByteCount = 0
}

extension TileCacheStore {
  /// Removes tiles that no region keeps, and gives their room on the disk back.
  @discardableResult
  public func clear(_ clearing: TileClearing) async throws(TileCacheError) -> ClearedTiles {
    // On a full disk only the order of what was read lately is lost.
    try? await flush()
    let before = fileSize
    var cleared = try await makingRoom { connection in
      let bytes = try Self.bytes(connection)
      let count: Int
      switch clearing {
      case .everything: count = try Self.removeInParts("1", [], connection)
      case .olderThan(let seconds, let now):
        let last = now.timeIntervalSince1970 - seconds
        count = try Self.removeInParts("fetched < ?1", [.real(last)], connection)
      case .capacity(let bytes): count = try Self.evict(to: bytes, connection)
      case .source(let source):
        count = try Self.removeInParts(
          "source = ?1", [.integer(source.number)], connection)
      case .shape(let region, let levels, let source):
        count = try Self.remove(region, levels: levels, of: source, connection)
      }
      return ClearedTiles(tileCount: count, byteCount: bytes - (try Self.bytes(connection)))
    }
    try giveBack()
    cleared.fileByteCount = max(0, before - fileSize)
    return cleared
  }

  static func bytes(_ connection: borrowing Connection) throws(DatabaseError) -> Int {
    let query = try connection.query("SELECT bytes FROM totals")
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }

  /// How many tiles one statement looks at: SQLite keeps in memory what it would have to take back.
  private static let part = 10_000

  /// Removes tiles of any number, a part with each statement.
  private static func removeInParts(
    _ condition: String, _ values: [SQLValue], _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int {
    let query = try connection.query("SELECT min(id), max(id) FROM tile")
    guard try query.step(), !query.isNull(at: 0) else { return 0 }
    let (first, last) = (query.integer(at: 0), query.integer(at: 1))
    query.reset()
    var count = 0
    let place = values.count
    for start in stride(from: first, through: last, by: Int64.Stride(part)) {
      count += try remove(
        "\(condition) AND id >= ?\(place + 1) AND id < ?\(place + 2)",
        values + [.integer(start), .integer(start + Int64(part))], connection)
    }
    return count
  }

  private static func remove(
    _ condition: String, _ values: [SQLValue], _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int {
    let query = try connection.query("DELETE FROM tile WHERE pins = 0 AND \(condition)")
    for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
    while try query.step() {}
    return connection.changeCount
  }

  private static func remove(
    _ region: TileRegion, levels: ClosedRange<Int>, of source: CachedSourceID,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int {
    let shape = RegionShape(region)
    var count = 0
    for level in levels {
      guard let rows = shape.rows(level: level) else { continue }
      for row in rows {
        for columns in shape.columns(level: level, row: row) {
          count += try remove(
            "source = ?1 AND z = ?2 AND y = ?3 AND x >= ?4 AND x < ?5",
            [
              .integer(source.number), .integer(Int64(level)), .integer(Int64(row)),
              .integer(Int64(columns.lowerBound)), .integer(Int64(columns.upperBound)),
            ], connection)
        }
      }
    }
    return count
  }
}
