public import Foundation
internal import PortolanJSON
internal import PortolanSQLite
public import PortolanTiles

extension TileCacheStore {
  private static let columns = """
    region.id, region.name, source.name, region.definition, state, created, updated, stored,
    absent, blank, bytes, saved, reason,
    (SELECT count(*) FROM region_failure AS f WHERE f.region = region.id AND kept = 0),
    (SELECT count(*) FROM region_failure AS f WHERE f.region = region.id AND kept = 1)
    """

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
    try await createRegion(
      named: name, of: config, plan, planned: plan.count, skippingBlank: skippingBlank,
      blankTile: blankTile, now: now)
  }

  /// Makes a region of `planned` tiles, which are those of a file if there is one.
  func createRegion(
    named name: String, of config: MapCacheConfig, _ plan: RegionPlan, planned: Int,
    skippingBlank: Bool = false, blankTile: TileID? = nil, isImported: Bool = false, now: Date
  ) async throws(TileCacheError) -> CachedRegion {
    guard planned > 0 else { throw .emptyRegion }
    let source = try await source(config)
    var definition: JSONObject = [
      "region": plan.region.json,
      "levels": [
        .integer(Int64(plan.levels.lowerBound)), .integer(Int64(plan.levels.upperBound)),
      ],
      "planned": .integer(Int64(planned)), "skipsBlank": .bool(skippingBlank),
      "imported": .bool(isImported),
    ]
    definition["blank"] = blankTile.map { tile in
      .array([tile.level, tile.row, tile.column].map { .integer(Int64($0)) })
    }
    let bytes = JSONValue.object(definition).encoded()
    let names = Set(try await regions().map(\.name))
    guard !names.contains(name) else {
      throw .nameTaken(name, suggestion: Self.freeName(like: name, among: names))
    }
    try await write { connection in
      try connection.execute(
        """
        INSERT INTO region (name, source, definition, state, created)
        VALUES (?1, ?2, ?3, 'paused', ?4)
        """, .text(name), .integer(source.number), .blob(bytes),
        .real(now.timeIntervalSince1970))
    }
    return try await region(named: name)
  }

  /// A name that no region has: the same with a number behind it.
  public static func freeName(like name: String, among names: Set<String>) -> String {
    let parts = name.split(separator: " ")
    let stem =
      parts.count > 1 && Int(parts[parts.count - 1]) != nil
      ? parts.dropLast().joined(separator: " ") : name
    var number = 2
    while names.contains("\(stem) \(number)") { number += 1 }
    return "\(stem) \(number)"
  }

  /// The regions, by name.
  public func regions() async throws(TileCacheError) -> [CachedRegion] {
    try await read { connection in
      let query = try connection.query(
        """
        SELECT \(Self.columns) FROM region JOIN source ON source.id = region.source
        ORDER BY region.name
        """)
      var regions: [CachedRegion] = []
      while try query.step() {
        if let region = Self.region(query) { regions.append(region) }
      }
      return regions
    }
  }

  /// A region.
  ///
  /// - Throws: ``TileCacheError/noSuchRegion(_:)``.
  public func region(named name: String) async throws(TileCacheError) -> CachedRegion {
    let found = try await read { connection in
      let query = try connection.query(
        """
        SELECT \(Self.columns) FROM region JOIN source ON source.id = region.source
        WHERE region.name = ?1
        """, .text(name))
      return try query.step() ? Self.region(query) : nil
    }
    guard let found else { throw .noSuchRegion(name) }
    return found
  }

  /// Gives a region a name that no other has.
  func rename(_ region: CachedRegion, to name: String) async throws(TileCacheError) {
    try await write { connection in
      try connection.execute(
        "UPDATE region SET name = ?2 WHERE id = ?1", .integer(region.id), .text(name))
    }
  }

  /// Changes how far a region is said to be.
  func setState(
    _ state: CachedRegion.State, of region: Int64, because reason: String? = nil,
    updated: Date? = nil
  ) async throws(TileCacheError) {
    try await write { connection in
      try connection.execute(
        "UPDATE region SET state = ?2, reason = ?3, updated = coalesce(?4, updated) WHERE id = ?1",
        .integer(region), .text(state.rawValue), reason.map { .text($0) } ?? .null,
        updated.map { .real($0.timeIntervalSince1970) } ?? .null)
    }
  }

  /// What failed in a region, in order.
  public func failures(
    of region: CachedRegion, limit: Int = 1_000
  ) async throws(TileCacheError) -> [RegionFailure] {
    try await read { connection in
      let query = try connection.query(
        """
        SELECT z, y, x, reason, attempts, time FROM region_failure WHERE region = ?1
        ORDER BY z, y, x LIMIT ?2
        """, .integer(region.id), .integer(Int64(limit)))
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

  /// A region in a row; `nil` for one that is written in a way that nobody knows.
  static func region(_ query: borrowing Query) -> CachedRegion? {
    // Such a region is left alone.
    guard let definition = try? JSONValue(parsing: query.blob(at: 3)),
      let shape = definition["region"].flatMap({ TileRegion(json: $0) }),
      let first = definition["levels"]?[0]?.int, let last = definition["levels"]?[1]?.int,
      first <= last, let state = CachedRegion.State(rawValue: query.text(at: 4))
    else { return nil }
    var progress = RegionProgress(planned: definition["planned"]?.int ?? 0)
    progress.stored = Int(query.integer(at: 7))
    progress.absent = Int(query.integer(at: 8))
    progress.blank = Int(query.integer(at: 9))
    progress.byteCount = Int(query.integer(at: 10))
    progress.savedByteCount = Int(query.integer(at: 11))
    progress.failed = Int(query.integer(at: 13))
    progress.failedUpdates = Int(query.integer(at: 14))
    var region = CachedRegion(
      id: query.integer(at: 0), name: query.text(at: 1), source: query.text(at: 2),
      plan: RegionPlan(shape, levels: first...last),
      skipsBlank: definition["skipsBlank"]?.bool ?? false, state: state,
      created: Date(timeIntervalSince1970: query.real(at: 5)),
      updated: query.isNull(at: 6) ? nil : Date(timeIntervalSince1970: query.real(at: 6)),
      progress: progress, reason: query.isNull(at: 12) ? nil : query.text(at: 12))
    if let blank = definition["blank"]?.array?.compactMap(\.int), blank.count == 3 {
      region.blankTile = TileID(level: blank[0], row: blank[1], column: blank[2])
    }
    region.isImported = definition["imported"]?.bool ?? false
    return region
  }
}

/// A tile of a region that could not be had.
public struct RegionFailure: Hashable, Sendable {
  /// The tile.
  public var tile: TileID
  /// Why, in a sentence.
  public var reason: String
  /// How often it was tried.
  public var attempts: Int
  /// When it was tried last.
  public var time: Date
}
