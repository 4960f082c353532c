internal import PortolanSQLite

/// In which order tiles were read, and how many were there, until that is written.
struct TileReadings: Sendable {
  /// How many reads are remembered before their order is written.
  private static let limit = 256

  private var order: [Int64] = []
  private var counts: [CachedSourceID: (hits: Int, misses: Int)] = [:]
  /// Misses of sources that are not known yet, by name.
  private var earlyMisses: [String: Int] = [:]

  /// Whether there is nothing to be written.
  var isEmpty: Bool { order.isEmpty && counts.isEmpty }

  /// Whether it is time to write.
  var isFull: Bool { order.count >= Self.limit }

  /// Notes that a tile was looked for: its number if anything is known of it, and whether it has bytes.
  mutating func note(_ tile: Int64?, isThere: Bool, of source: CachedSourceID) {
    if isThere {
      counts[source, default: (0, 0)].hits += 1
    } else {
      counts[source, default: (0, 0)].misses += 1
    }
    if let tile { order.append(tile) }
  }

  /// Notes that a tile was looked for of a source that has none yet.
  mutating func noteMiss(ofSourceNamed name: String) { earlyMisses[name, default: 0] += 1 }

  /// Notes which source has a name, once it has tiles.
  mutating func note(_ source: CachedSourceID, named name: String) {
    guard let misses = earlyMisses.removeValue(forKey: name) else { return }
    counts[source, default: (0, 0)].misses += misses
  }

  /// Forgets which tiles were read: they are of a file that is gone.
  mutating func forgetOrder() { order = [] }

  /// What is to be written, by the caller.
  mutating func take() -> TileReadings {
    defer { (order, counts) = ([], [:]) }
    return self
  }

  /// Writes them, inside a transaction of the caller.
  func write(to connection: borrowing Connection) throws(DatabaseError) {
    if !order.isEmpty { try writeOrder(to: connection) }
    for (source, count) in counts {
      try connection.execute(
        "UPDATE source SET hits = hits + ?2, misses = misses + ?3 WHERE id = ?1",
        .integer(source.number), .integer(Int64(count.hits)), .integer(Int64(count.misses)))
    }
  }

  private func writeOrder(to connection: borrowing Connection) throws(DatabaseError) {
    let first = try TileRecords.count(up: order.count, connection)
    let query = try connection.query("UPDATE tile SET used = ?2 WHERE id = ?1")
    for (offset, id) in order.enumerated() {
      query.reset()
      try query.bind(id, at: 1)
      try query.bind(first + Int64(offset), at: 2)
      while try query.step() {}
    }
  }
}
