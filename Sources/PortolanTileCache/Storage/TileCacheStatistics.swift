internal import Foundation
internal import PortolanSQLite

/// What a cache holds, in figures.
public struct TileCacheStatistics: Hashable, Sendable {
  /// One source of it.
  public struct Source: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// How many tiles it has here.
    public var tileCount = 0
    /// The bytes of these tiles, those counted once that are equal.
    public var byteCount = 0
    /// How often a tile was found, and how often not.
    public var hits = 0
    public var misses = 0
  }

  /// How many tiles there are.
  public var tileCount = 0
  /// Of how many tiles it is known that the server has none.
  public var absentCount = 0
  /// The bytes of all tiles; equal ones are kept, and counted, once.
  public var byteCount = 0
  /// The bytes that regions keep, counted once however many regions share them.
  public var pinnedByteCount = 0
  /// The bytes that the file takes on the disk, with its journal.
  public var fileByteCount = 0
  /// The sources, by name.
  public var sources: [Source] = []

  /// The bytes that the capacity is for: those that no region keeps.
  public var ambientByteCount: Int { byteCount - pinnedByteCount }
}

extension TileCacheStore {
  /// What the cache holds.
  public func statistics() async throws(TileCacheError) -> TileCacheStatistics {
    // Where nothing can be written, what was read lately is not counted.
    try? await flush()
    var statistics = try await read { connection in
      var statistics = TileCacheStatistics()
      let totals = try connection.query("SELECT tiles, absent, bytes, pinned FROM totals")
      if try totals.step() {
        statistics.tileCount = Int(totals.integer(at: 0))
        statistics.absentCount = Int(totals.integer(at: 1))
        statistics.byteCount = Int(totals.integer(at: 2))
        statistics.pinnedByteCount = Int(totals.integer(at: 3))
      }
      statistics.sources = try Self.sources(connection)
      return statistics
    }
    statistics.fileByteCount = fileSize
    return statistics
  }

  /// The bytes of the tiles, equal ones counted once.
  public func diskSize() async throws(TileCacheError) -> Int { try await statistics().byteCount }

  /// The bytes that the file takes on the disk, with its journal.
  public nonisolated var fileSize: Int {
    ["", "-wal", "-shm"].reduce(0) { sum, suffix in
      let path = url.path(percentEncoded: false) + suffix
      // What is not there takes no room.
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return sum + (size ?? 0)
    }
  }

  private static func sources(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [TileCacheStatistics.Source] {
    let query = try connection.query(
      """
      SELECT name, hits, misses,
        (SELECT count(*) FROM tile AS t WHERE t.source = source.id AND content IS NOT NULL),
        (SELECT coalesce(sum(size), 0) FROM content WHERE id IN
          (SELECT content FROM tile AS t WHERE t.source = source.id))
      FROM source ORDER BY name
      """)
    var sources: [TileCacheStatistics.Source] = []
    while try query.step() {
      var source = TileCacheStatistics.Source(name: query.text(at: 0))
      source.hits = Int(query.integer(at: 1))
      source.misses = Int(query.integer(at: 2))
      source.tileCount = Int(query.integer(at: 3))
      source.byteCount = Int(query.integer(at: 4))
      sources.append(source)
    }
    return sources
  }
}
