internal import PortolanSQLite

/// Records in which order tiles were read, and how many there were, until that is written.
///
/// A tile that was among the last to be used keeps its place in the order of use when it is read again:
/// most reads are of such tiles, and writing the place costs more than reading the tile.
struct TileReadings: Sendable {
  /// How many tiles are remembered before their order is written.
  private static let limit = 256
  /// How many reads are counted before that is written.
  private static let countLimit = 4_096
  /// After how long what was read is written with the next read, so that a process that is killed loses
  /// little.
  private static let patience = Duration.seconds(30)
  /// Of so many tiles the last to be used keep their places, the share of them being one of `keptShare`.
  static let fewestTiles: Int64 = 256
  private static let keptShare: Int64 = 4

  private var order: [Int64] = []
  private var counts: [CachedSourceID: (hits: Int, misses: Int)] = [:]
  private var countedReads = 0
  /// When the first tile was read of those that are not written.
  private var began: ContinuousClock.Instant?
  /// From which number in the order of use on tiles keep their places.
  private var keptFrom = Int64.max
  /// Misses of sources that are not known yet, by name.
  private var earlyMisses: [String: Int] = [:]

  /// Whether there is nothing to be written.
  var isEmpty: Bool { order.isEmpty && counts.isEmpty }

  /// Whether tiles that were just used keep their places: there are so many that the order need not be exact.
  var keepsPlaces: Bool { keptFrom != .max }

  /// Whether it is time to write.
  func isFull(at time: ContinuousClock.Instant) -> Bool {
    order.count >= Self.limit || countedReads >= Self.countLimit
      || began.map { time - $0 >= Self.patience } == true
  }

  /// Whether it is to be written with the next tile that is stored: where no tiles keep their places, so
  /// few that the order is exact.
  func isDue(at time: ContinuousClock.Instant) -> Bool {
    !isEmpty && (!keepsPlaces || isFull(at: time))
  }

  /// Notes that a tile was looked for, and what was found.
  mutating func note(
    _ found: FoundTile?, of source: CachedSourceID, at time: ContinuousClock.Instant
  ) {
    count(found?.tile, of: source, at: time)
    if let found, found.used < keptFrom { order.append(found.id) }
  }

  /// Notes that a tile was looked for which has just arrived, and gets its place in the order by that.
  mutating func note(
    arriving tile: StoredTile, of source: CachedSourceID, at time: ContinuousClock.Instant
  ) {
    count(tile, of: source, at: time)
  }

  private mutating func count(
    _ tile: StoredTile?, of source: CachedSourceID, at time: ContinuousClock.Instant
  ) {
    countedReads += 1
    began = began ?? time
    if tile?.data != nil {
      counts[source, default: (0, 0)].hits += 1
    } else {
      counts[source, default: (0, 0)].misses += 1
    }
  }

  /// Notes that a tile was looked for of a source that has none yet.
  mutating func noteMiss(ofSourceNamed name: String) { earlyMisses[name, default: 0] += 1 }

  /// Notes which source has a name, once it has tiles.
  mutating func note(_ source: CachedSourceID, named name: String) {
    guard let misses = earlyMisses.removeValue(forKey: name) else { return }
    counts[source, default: (0, 0)].misses += misses
  }

  /// Forgets which tiles were read: they are of a missing file.
  mutating func forgetOrder() { (order, keptFrom) = ([], .max) }

  /// Notes how far the order of use has come in a cache of so many tiles.
  mutating func note(newest: Int64, tileCount: Int64) {
    keptFrom = tileCount < Self.fewestTiles ? .max : newest - tileCount / Self.keptShare
  }

  /// What is to be written, by the caller.
  mutating func take() -> TileReadings {
    defer { (order, counts, countedReads, began) = ([], [:], 0, nil) }
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
    for (offset, id) in lastReads.enumerated() {
      query.reset()
      try query.bind(id, at: 1)
      try query.bind(first + Int64(offset), at: 2)
      while try query.step() {}
    }
  }

  /// The tiles in the order in which they were read last, each once.
  private var lastReads: [Int64] {
    var seen: Set<Int64> = []
    return order.reversed().filter { seen.insert($0).inserted }.reversed()
  }
}
