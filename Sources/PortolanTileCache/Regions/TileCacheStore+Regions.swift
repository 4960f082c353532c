public import Foundation
internal import PortolanFiles
internal import PortolanSQLite
public import PortolanTiles

extension TileCacheStore {
  /// The rows of regions; one whose source has no row is there all the same, so that it can be deleted.
  static let rows = "region LEFT JOIN source ON source.id = region.source"

  static let columns = selection(
    failed: "(SELECT count(*) FROM region_failure AS f WHERE f.region = region.id AND kept = 0)",
    failedUpdates:
      "(SELECT count(*) FROM region_failure AS f WHERE f.region = region.id AND kept = 1)")

  /// The same for a caller that knows how many tiles have failed, which takes long to count.
  static let columnsWithoutFailures = selection(failed: "0", failedUpdates: "0")

  private static func selection(failed: String, failedUpdates: String) -> String {
    """
    region.id, region.name, coalesce(source.name, 'unknown source ' || region.source),
    region.definition, state, created, updated, stored,
    absent, blank, bytes, saved, reason, \(failed), \(failedUpdates), source.id
    """
  }

  /// Makes a region of which nothing is there.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - config: Its source.
  ///   - plan: Which tiles it takes.
  ///   - skippingBlank: Whether tiles that equal the blank one are left out.
  ///   - blankTile: Which tile is the blank one; that of the Arctic Ocean if `nil`.
  ///   - now: The time of day.
  /// - Returns: The region.
  /// - Throws: ``TileCacheError/emptyRegion``, ``TileCacheError/nameTaken(_:suggestion:)``.
  public func createRegion(
    named name: String, of config: MapCacheConfig, _ plan: RegionPlan, skippingBlank: Bool = false,
    blankTile: TileID? = nil, now: Date
  ) async throws(TileCacheError) -> CachedRegion {
    try await makeRegion(
      named: name, of: config, plan, planned: plan.count, skippingBlank: skippingBlank,
      blankTile: blankTile, now: now
    ).region
  }

  /// Makes a region of `planned` tiles, which are those of a file if there is one.
  ///
  /// - Returns: The region, with its lock if a file is to be read into it: to whoever saw it without one
  ///   it would seem to be left by a process that has died.
  func makeRegion(
    named name: String, of config: MapCacheConfig, _ plan: RegionPlan, planned: Int,
    skippingBlank: Bool = false, blankTile: TileID? = nil, isImported: Bool = false,
    state: CachedRegion.State = .paused, now: Date
  ) async throws(TileCacheError) -> (region: CachedRegion, lock: ByteLock?) {
    guard planned > 0 else { throw .emptyRegion }
    let source = try await source(config)
    let (known, keys) = (sources[config.cacheName]?.record, keys)
    let definition = RegionDefinition(
      plan, planned: planned, skipsBlank: skippingBlank, blankTile: blankTile,
      isImported: isImported)
    let bytes = definition.record
    let (number, lock) = try await write { connection in
      // Another process may have made one since it was looked at.
      let names = try Self.names(connection)
      if let taken = Self.name(like: name, among: names) {
        throw TileCacheError.nameTaken(taken, suggestion: Self.freeName(like: name, among: names))
      }
      // Another process may have forgotten the empty source since, and another source may have its
      // number.
      let source = try Self.number(of: config, as: known, keys, connection)
      let locked = state == .importing ? try self.lockNext(connection) : nil
      try connection.execute(
        """
        INSERT INTO region (id, name, source, definition, state, created)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """, locked.map { .integer($0.id) } ?? .null, .text(name), .integer(source.number),
        .blob(bytes), .text(state.rawValue), .real(now.timeIntervalSince1970))
      return (source, locked?.lock)
    }
    if number != source { sources[config.cacheName] = nil }
    return (try await region(named: name), lock)
  }

  /// A name that no region has: the same, with a number behind it if one of `names` is that.
  public static func freeName(like name: String, among names: some Sequence<String>) -> String {
    let names = Set(names.map { $0.lowercased() })
    return FreeName.like(name) { names.contains($0.lowercased()) }
  }

  /// Which of `names` people take for `name`: the same one, else one that differs in upper and lower case only.
  ///
  /// However its accents are encoded, a name is the same, as texts are in Swift.
  public static func name(like name: String, among names: some Collection<String>) -> String? {
    let lowercased = name.lowercased()
    return names.first { $0 == name } ?? names.first { $0.lowercased() == lowercased }
  }

  /// The names of all regions, as they are stored.
  private static func names(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [String] {
    let query = try connection.query("SELECT name FROM region ORDER BY name")
    var names: [String] = []
    while try query.step() { names.append(query.text(at: 0)) }
    return names
  }

  /// The regions, by name.
  public func regions() async throws(TileCacheError) -> [CachedRegion] {
    let definitions = definitions
    return try await read { connection in
      let query = try connection.query(
        """
        SELECT \(Self.columns) FROM \(Self.rows)
        ORDER BY region.name
        """)
      var regions: [CachedRegion] = []
      while try query.step() {
        if let region = Self.region(query, definitions) { regions.append(region) }
      }
      return regions
    }
  }

  /// A region.
  ///
  /// - Throws: ``TileCacheError/noSuchRegion(_:)``.
  public func region(named name: String) async throws(TileCacheError) -> CachedRegion {
    try await region(named: name, Self.columns)
  }

  /// A region, of which these columns are read.
  func region(named name: String, _ columns: String) async throws(TileCacheError) -> CachedRegion {
    let definitions = definitions
    let found = try await read { connection -> CachedRegion? in
      let query = try connection.query(
        """
        SELECT \(columns) FROM \(Self.rows)
        WHERE region.name = ?1
        """, .text(name))
      if try query.step() { return Self.region(query, definitions) }
      // SQLite compares bytes, which differ where accents are encoded in another way.
      guard let stored = try Self.names(connection).first(where: { $0 == name }) else { return nil }
      query.reset()
      try query.bind(.text(stored), at: 1)
      return try query.step() ? Self.region(query, definitions) : nil
    }
    guard let found else { throw .noSuchRegion(name) }
    return found
  }

  /// Changes the recorded state of a region.
  func setState(
    _ state: CachedRegion.State, of region: Int64, updated: Date? = nil
  ) async throws(TileCacheError) {
    try await patiently { connection in
      try Self.setState(state, of: region, updated: updated, connection)
    }
  }

  static func setState(
    _ state: CachedRegion.State, of region: Int64, because reason: String? = nil,
    updated: Date? = nil, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.execute(
      "UPDATE region SET state = ?2, reason = ?3, updated = coalesce(?4, updated) WHERE id = ?1",
      .integer(region), .text(state.rawValue), reason.map { .text($0) } ?? .null,
      updated.map { .real($0.timeIntervalSince1970) } ?? .null)
  }

  /// Changes how many tiles a region of files takes.
  func setPlanned(_ count: Int, of region: CachedRegion) async throws(TileCacheError) {
    let definition = RegionDefinition(
      region.plan, planned: count, skipsBlank: region.skipsBlank, blankTile: region.blankTile,
      isImported: region.isOfFile)
    let record = definition.record
    try await write { connection in
      let query = try connection.query(
        "SELECT definition FROM region WHERE id = ?1", .integer(region.id))
      // Records of unknown formats stay as they are.
      guard try query.step(), RegionDefinition(query.blob(at: 0)) != nil else { return }
      query.reset()
      try connection.execute(
        "UPDATE region SET definition = ?2 WHERE id = ?1", .integer(region.id), .blob(record))
    }
  }

  /// What failed in a region, in order: the first of it, or what comes after a tile.
  public func failures(
    of region: CachedRegion, after last: TileID? = nil, limit: Int = 1_000
  ) async throws(TileCacheError) -> [RegionFailure] {
    let start = last ?? TileID(level: -1, row: 0, column: 0)
    return try await failures(
      of: region, where: "(z, y, x) > (?2, ?3, ?4) ORDER BY z, y, x LIMIT ?5", start, limit: limit)
  }

  /// Why a tile of a region failed; `nil` if it did not.
  func failure(
    at tile: TileID, of region: CachedRegion
  ) async throws(TileCacheError) -> RegionFailure? {
    try await failures(
      of: region, where: "z = ?2 AND y = ?3 AND x = ?4 LIMIT ?5", tile, limit: 1
    ).first
  }

  private func failures(
    of region: CachedRegion, where condition: String, _ tile: TileID, limit: Int
  ) async throws(TileCacheError) -> [RegionFailure] {
    try await read { connection in
      let query = try connection.query(
        """
        SELECT z, y, x, reason, attempts, time FROM region_failure
        WHERE region = ?1 AND \(condition)
        """, .integer(region.id), .integer(Int64(tile.level)), .integer(Int64(tile.row)),
        .integer(Int64(tile.column)), .integer(Int64(limit)))
      var failures: [RegionFailure] = []
      while try query.step() {
        failures.append(
          RegionFailure(
            tile: TileID(
              level: Int(query.integer(at: 0)), row: Int(query.integer(at: 1)),
              column: Int(query.integer(at: 2))), reason: query.text(at: 3),
            attempts: Int(query.integer(at: 4)),
            time: Date(timeIntervalSince1970: query.real(at: 5))))
      }
      return failures
    }
  }

  /// A region in a row; `nil` for one in an unknown state, which is left alone.
  static func region(
    _ query: borrowing Query, _ definitions: RegionDefinitions
  ) -> CachedRegion? {
    guard var state = CachedRegion.State(rawValue: query.text(at: 4)) else { return nil }
    let known = definitions.definition(query.blob(at: 3))
    let count = query.integer(at: 7) + query.integer(at: 8) + query.integer(at: 9)
    // One that cannot be understood is listed all the same, so that it can be deleted.
    let definition = known ?? RegionDefinition(ofUnknownHolding: Int(count))
    if known == nil, state == .finished { state = .paused }
    let isSourceKnown = !query.isNull(at: 15)
    // A region without a server cannot be resumed.
    if !isSourceKnown, state == .downloading || state == .updating { state = .paused }
    let reason = query.isNull(at: 12) ? nil : query.text(at: 12)
    var progress = RegionProgress(planned: definition.planned)
    progress.stored = Int(query.integer(at: 7))
    progress.absent = Int(query.integer(at: 8))
    progress.blank = Int(query.integer(at: 9))
    progress.byteCount = Int(query.integer(at: 10))
    progress.savedByteCount = Int(query.integer(at: 11))
    progress.failed = Int(query.integer(at: 13))
    progress.failedUpdates = Int(query.integer(at: 14))
    return CachedRegion(
      id: query.integer(at: 0), name: query.text(at: 1), source: query.text(at: 2),
      plan: definition.plan, skipsBlank: definition.skipsBlank, blankTile: definition.blankTile,
      isImported: definition.isImported || !isSourceKnown, isOfFile: definition.isImported,
      state: state,
      created: Date(timeIntervalSince1970: query.real(at: 5)),
      updated: query.isNull(at: 6) ? nil : Date(timeIntervalSince1970: query.real(at: 6)),
      progress: progress,
      reason: known == nil ? unknownReason : isSourceKnown ? reason : unknownSourceReason)
  }

  private static let unknownReason =
    "What it was asked for cannot be read; a newer Portolan may have written it."

  private static let unknownSourceReason =
    "Its source is no longer known. Its tiles stay until it is deleted, and can be exported."
}
