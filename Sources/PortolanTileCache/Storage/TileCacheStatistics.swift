internal import Foundation
internal import PortolanSQLite

/// The contents of a cache, in figures.
public struct TileCacheStatistics: Hashable, Sendable {
  /// One source of it.
  public struct Source: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// How many tiles it has here.
    public var tileCount = 0
    /// The bytes of these tiles, those counted once that are equal.
    public var byteCount = 0
    /// How often a tile was found in the cache.
    public var hits = 0
    /// How often a tile was not found in the cache.
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
  /// How many tiles the cache holds, of all sources.
  func tileCount() async throws(TileCacheError) -> Int {
    try await read { connection in
      let totals = try connection.query("SELECT tiles FROM totals")
      return try totals.step() ? Int(totals.integer(at: 0)) : 0
    }
  }

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
      statistics.sources = try Self.sources(connection, of: statistics)
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
    _ connection: borrowing Connection, of whole: TileCacheStatistics
  ) throws(DatabaseError) -> [TileCacheStatistics.Source] {
    let query = try connection.query("SELECT id, name, hits, misses FROM source ORDER BY name")
    var (sources, places) = ([TileCacheStatistics.Source](), [Int64: Int]())
    while try query.step() {
      places[query.integer(at: 0)] = sources.count
      var source = TileCacheStatistics.Source(name: query.text(at: 1))
      source.hits = Int(query.integer(at: 2))
      source.misses = Int(query.integer(at: 3))
      sources.append(source)
    }
    guard sources.count > 1 else {
      return sources.map { source in
        var source = source
        (source.tileCount, source.byteCount) = (whole.tileCount, whole.byteCount)
        return source
      }
    }
    try count(&sources, at: places, connection)
    return sources
  }

  /// Counts the tiles of each source, and once the bytes of those that are equal, in the order of their
  /// contents: so that nothing has to be remembered but the content that comes next.
  private static func count(
    _ sources: inout [TileCacheStatistics.Source], at places: [Int64: Int],
    _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let query = try connection.query(
      """
      SELECT t.content, t.source, c.size
      FROM tile AS t INDEXED BY tile_content CROSS JOIN content AS c ON c.id = t.content
      WHERE t.content IS NOT NULL ORDER BY t.content
      """)
    var (content, seen) = (Int64(0), Set<Int>())
    while try query.step() {
      if query.integer(at: 0) != content {
        content = query.integer(at: 0)
        seen.removeAll(keepingCapacity: true)
      }
      guard let place = places[query.integer(at: 1)] else { continue }
      sources[place].tileCount += 1
      if seen.insert(place).inserted { sources[place].byteCount += Int(query.integer(at: 2)) }
    }
  }
}
