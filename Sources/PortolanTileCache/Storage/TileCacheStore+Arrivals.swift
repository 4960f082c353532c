internal import PortolanLocks
internal import PortolanSQLite
public import PortolanTiles

// How tiles get into the file: what arrives while others are written goes in one transaction.
extension TileCacheStore {
  /// How many bytes of tiles wait to be written before those that add more wait too.
  private static let mostWaitingBytes = 8 << 20
  /// How long tiles that nobody waits for gather until they are written.
  private static let gatheringTime = Duration.milliseconds(50)
  /// In a cache of so many tiles room is made for several at a time, one of so many parts of what it may
  /// hold.
  private static let roomShare = 64

  /// Keeps a tile, or that there is none, and makes room for it: tiles that no region keeps have at
  /// most `capacity` bytes then, unless that is `nil`.
  ///
  /// That there is none does not remove a tile that a region keeps.
  public func put(
    _ stored: StoredTile, at tile: TileID, of config: MapCacheConfig, capacity: Int?
  ) async throws(TileCacheError) {
    let source = try await source(storing: config)
    let error = await withCheckedContinuation { continuation in
      enqueue(
        TileArrivals.Arrival(
          stored: stored, tile: tile, config: config, source: source, capacity: capacity
        ) { continuation.resume(returning: $0) }, isAwaited: true)
    }
    if let error { throw error }
  }

  /// Keeps a tile as ``put(_:at:of:capacity:)`` does, without waiting until it is written: this
  /// store returns it at once, and a killed process may lose the latest tiles.
  ///
  /// `completion` is called once it is written, or with the reason why it is not.
  func add(
    _ stored: StoredTile, at tile: TileID, of config: MapCacheConfig, capacity: Int?,
    completion: @escaping @Sendable (TileCacheError?) -> Void = { _ in }
  ) async throws(TileCacheError) {
    let source = try await source(storing: config)
    // Where writing is slower than what comes, memory stays bounded.
    if arrivals.withLock(\.byteCount) > Self.mostWaitingBytes { await written() }
    enqueue(
      TileArrivals.Arrival(
        stored: stored, tile: tile, config: config, source: source, capacity: capacity,
        completion: completion), isAwaited: false)
  }

  /// Waits until everything that has arrived is written, or cannot be.
  nonisolated func written() async {
    await withCheckedContinuation { continuation in
      let isWaiting = arrivals.withLock { $0.observe { continuation.resume() } }
      if isWaiting { beginWriting() } else { continuation.resume() }
    }
  }

  private func enqueue(_ arrival: TileArrivals.Arrival, isAwaited: Bool) {
    var arrival = arrival
    arrival.record = sources[arrival.config.cacheName]?.record
    // In a small cache the order of use is exact, and what has not arrived has no place in it.
    let gathers = !isAwaited && readings.withLock(\.keepsPlaces)
    let isDue = arrivals.withLock { [arrival] arrivals in
      arrivals.add(arrival, isAwaited: !gathers)
      return arrivals.isDue
    }
    if isDue { beginWriting() } else { gather() }
  }

  /// Writes tiles that nobody waits for in a moment, together with what comes until then.
  nonisolated private func gather() {
    guard arrivals.withLock({ $0.beginGathering() }) else { return }
    Task {
      // Nothing cancels it.
      try? await Task.sleep(for: Self.gatheringTime)
      if arrivals.withLock({ $0.endGathering() }) { beginWriting() }
    }
  }

  /// Writes what was received, and what was read, while the caller continues.
  nonisolated func beginWriting() {
    guard arrivals.withLock({ $0.begin() }) else { return }
    // The caller that added a tile may be gone before it is written.
    Task { await writeArrivals() }
  }

  private func writeArrivals() async {
    var hasMore = true
    while hasMore {
      let batch = arrivals.withLock { $0.next() }
      let errors = await Result.of { () async throws(TileCacheError) in try await write(batch) }
      let (observers, more) = arrivals.withLock { $0.finish() }
      for (index, arrival) in batch.enumerated() {
        switch errors {
        case .success(let errors): arrival.completion(errors[index])
        case .failure(let error): arrival.completion(error)
        }
      }
      for observer in observers { observer() }
      hasMore = more
    }
    gather()
  }

  /// Writes tiles in one transaction, and what was read if that is due.
  ///
  /// - Returns: Why a tile could not be written, for each.
  private func write(
    _ batch: [TileArrivals.Arrival]
  ) async throws(TileCacheError) -> [TileCacheError?] {
    let byteCount = batch.reduce(0) { $0 + ($1.stored.data?.count ?? 0) }
    if !batch.isEmpty { try prepare(forBytes: byteCount, leaving: 0) }
    let (keys, readings) = (keys, readings)
    let due = readings.withLock { $0.isDue(at: .now) ? $0.take() : nil }
    guard !batch.isEmpty || due != nil else { return [] }
    let (errors, order) = try await patientlyAlone { connection in
      try due?.write(to: connection)
      var writer = try ArrivalWriter(of: batch.count, keys, connection)
      let errors = try batch.map { arrival -> TileCacheError? in
        do { try writer.put(arrival, connection) } catch let error as TileCacheError {
          return error
        }
        return nil
      }
      // Once for all of them: nobody sees what is there in the midst of a transaction.
      if let capacity = batch.compactMap(\.capacity).min() {
        try Self.makeRoom(to: capacity, reading: readings, connection)
      }
      try reserveRoomForLog(connection)
      return (errors, try TileRecords.orderOfUse(connection))
    }
    readings.withLock { $0.note(newest: order.newest, tileCount: order.tileCount) }
    return errors
  }

  /// Makes room where that is needed, in a large cache for several tiles at a time, in the order in which
  /// tiles were read up to now.
  private static func makeRoom(
    to capacity: Int, reading readings: Locked<TileReadings>, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    guard try TileRecords.ambientBytes(connection) > capacity else { return }
    let pending = readings.withLock { $0.take() }
    try pending.write(to: connection)
    let isLarge = try TileRecords.orderOfUse(connection).tileCount >= TileReadings.fewestTiles
    _ = try evict(to: isLarge ? capacity - capacity / roomShare : capacity, connection)
  }
}
