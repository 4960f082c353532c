internal import PortolanSQLite

/// In which order tiles were read, and how many were there.
struct TileReadings: Sendable {
  let order: [Int64]
  let counts: [CachedSourceID: (hits: Int, misses: Int)]

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
