internal import Foundation
internal import PortolanSQLite

extension TileCacheStore {
  /// Removes tiles that no region keeps, and gives their room on the disk back.
  ///
  /// That is done in parts, so that others can write meanwhile; what is removed stays so if it is broken
  /// off.
  @discardableResult
  public func clear(_ clearing: TileClearing) async throws(TileCacheError) -> ClearedTiles {
    // On a full disk only the order of what was read lately is lost.
    try? await flush()
    let before = fileSize
    var cleared: ClearedTiles
    switch clearing {
    case .everything: cleared = try await remove("1", [])
    case .olderThan(let seconds, let now):
      cleared = try await remove("fetched < ?1", [.real(now.timeIntervalSince1970 - seconds)])
    case .capacity(let bytes): cleared = try await makeRoom(to: bytes)
    case .source(let source):
      cleared = try await remove("source = ?1", [.integer(source.number)])
    case .shape(let region, let levels, let source):
      cleared = try await remove(ShapeStretches(RegionShape(region), levels), of: source)
    }
    try giveBack()
    cleared.fileByteCount = max(0, before - fileSize)
    return cleared
  }

  static func bytes(_ connection: borrowing Connection) throws(DatabaseError) -> Int {
    let query = try connection.query("SELECT bytes FROM totals")
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }

  // MARK: - Parts

  /// How many tiles one transaction looks at.
  private static let part = 10_000
  private static let fewestTiles = 16
  /// How many stretches of rows one transaction looks at, be there tiles or not.
  private static let mostStretches = 2_000

  /// Removes at most so many tiles in one transaction, and counts them.
  ///
  /// They are fewer from then on, if the disk has no room for the log of so many. What `body` returns
  /// besides their number is returned.
  private func removePart<T: Sendable>(
    _ most: inout Int, _ cleared: inout ClearedTiles,
    _ body: @Sendable (Int, borrowing Connection) throws -> (count: Int, T)
  ) async throws(TileCacheError) -> T {
    while true {
      let limit = most
      do throws(TileCacheError) {
        let (count, byteCount, result) = try await makingRoom { connection in
          let bytes = try Self.bytes(connection)
          let (count, result) = try body(limit, connection)
          return (count, bytes - (try Self.bytes(connection)), result)
        }
        cleared.tileCount += count
        cleared.byteCount += byteCount
        return result
      } catch {
        guard isFull(error), most > Self.fewestTiles else { throw error }
        most = max(most / 4, Self.fewestTiles)
      }
    }
  }

  /// Removes the tiles that meet a condition.
  private func remove(
    _ condition: String, _ values: [SQLValue]
  ) async throws(TileCacheError) -> ClearedTiles {
    var cleared = ClearedTiles()
    let ends = try await read { connection -> ClosedRange<Int64>? in
      let query = try connection.query("SELECT min(id), max(id) FROM tile")
      guard try query.step(), !query.isNull(at: 0) else { return nil }
      return query.integer(at: 0)...query.integer(at: 1)
    }
    guard let ends else { return cleared }
    let place = values.count
    var (start, most) = (ends.lowerBound, Self.part)
    while start <= ends.upperBound {
      let first = start
      start = try await removePart(&most, &cleared) { limit, connection in
        let next = first + Int64(limit)
        let count = try Self.remove(
          "\(condition) AND id >= ?\(place + 1) AND id < ?\(place + 2)",
          values + [.integer(first), .integer(next)], connection)
        return (count, next)
      }
    }
    return cleared
  }

  /// Removes the tiles that were used least recently, until the others fit.
  private func makeRoom(to capacity: Int) async throws(TileCacheError) -> ClearedTiles {
    var cleared = ClearedTiles()
    var (most, isDone) = (Self.part, false)
    while !isDone {
      isDone = try await removePart(&most, &cleared) { limit, connection in
        let count = try Self.evict(to: capacity, limit: limit, connection)
        return (count, count < limit)
      }
    }
    return cleared
  }

  /// Removes the tiles of a source in a shape.
  private func remove(
    _ stretches: ShapeStretches, of source: CachedSourceID
  ) async throws(TileCacheError) -> ClearedTiles {
    var cleared = ClearedTiles()
    var (rest, most) = (stretches, Self.part)
    while rest.current != nil {
      let first = rest
      rest = try await removePart(&most, &cleared) { limit, connection in
        var (rest, count, left) = (first, 0, Self.mostStretches)
        while left > 0, let stretch = rest.current {
          let removed = try Self.remove(stretch, of: source, atMost: limit - count, connection)
          count += removed
          left -= 1
          // There may be more of the last one.
          guard count < limit else { break }
          rest.advance()
        }
        return (count, rest)
      }
    }
    return cleared
  }

  private static func remove(
    _ stretch: ShapeStretches.Stretch, of source: CachedSourceID, atMost limit: Int,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int {
    try remove(
      """
      id IN (SELECT id FROM tile WHERE source = ?1 AND z = ?2 AND y = ?3 AND x >= ?4 AND x < ?5
        AND pins = 0 LIMIT ?6)
      """,
      [
        .integer(source.number), .integer(Int64(stretch.level)), .integer(Int64(stretch.row)),
        .integer(Int64(stretch.columns.lowerBound)), .integer(Int64(stretch.columns.upperBound)),
        .integer(Int64(limit)),
      ], connection)
  }

  private static func remove(
    _ condition: String, _ values: [SQLValue], _ connection: borrowing Connection
  ) throws(DatabaseError) -> Int {
    let query = try connection.query("DELETE FROM tile WHERE pins = 0 AND \(condition)")
    for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
    while try query.step() {}
    return connection.changeCount
  }
}

/// The tiles of a shape on some levels, a stretch of a row at a time.
private struct ShapeStretches: Sendable {
  /// Tiles beside each other.
  struct Stretch: Sendable {
    var level: Int
    var row: Int
    var columns: Range<Int>
  }

  private let shape: RegionShape
  private let lastLevel: Int
  private var level: Int
  /// The rows of the level that come after that of ``current``.
  private var rows: Range<Int>
  /// The stretches of a row that are left, the last first.
  private var stretches: [Range<Int>] = []
  private var row = 0

  /// Begins with the first stretch.
  init(_ shape: RegionShape, _ levels: ClosedRange<Int>) {
    self.shape = shape
    (level, lastLevel) = (levels.lowerBound, levels.upperBound)
    rows = shape.rows(level: levels.lowerBound) ?? 0..<0
    findRow()
  }

  /// The stretch that comes next; `nil` after the last.
  var current: Stretch? {
    stretches.last.map { Stretch(level: level, row: row, columns: $0) }
  }

  /// Continues to the next stretch.
  mutating func advance() {
    _ = stretches.popLast()
    findRow()
  }

  /// Continues to the next row that has a stretch, unless this one still has.
  private mutating func findRow() {
    while stretches.isEmpty {
      if let next = rows.first {
        row = next
        rows = rows.dropFirst()
        stretches = shape.columns(level: level, row: row).reversed()
      } else if level < lastLevel {
        level += 1
        rows = shape.rows(level: level) ?? 0..<0
      } else {
        return
      }
    }
  }
}
