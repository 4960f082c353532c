internal import Foundation
internal import PortolanSQLite

extension TileCacheStore {
  /// The number of a source, without writing anything; `nil` if there is none of that name.
  func knownSource(named name: String) async throws(TileCacheError) -> CachedSourceID? {
    if let known = sources[name] { return known.id }
    return try await read { connection in
      let query = try connection.query("SELECT id FROM source WHERE name = ?1", .text(name))
      return try query.step() ? CachedSourceID(number: query.integer(at: 0)) : nil
    }
  }

  /// The number of a source, without writing anything; `nil` if there is none of its name, or that is at
  /// another address.
  func knownSource(of config: MapCacheConfig) async throws(TileCacheError) -> CachedSourceID? {
    if let known = sources[config.cacheName], known.config.isSame(as: config) { return known.id }
    return try await read { [keys] in try Self.knownSource(of: config, keys, $0) }
  }

  /// The number of a source; `nil` if there is none of its name, or that is at another address.
  static func knownSource(
    of config: MapCacheConfig, _ keys: SourceKeyFile, _ connection: borrowing Connection
  ) throws(DatabaseError) -> CachedSourceID? {
    let query = try connection.query(
      "SELECT id, definition FROM source WHERE name = ?1", .text(config.cacheName))
    guard try query.step(), !config.isElsewhere(thanRecord: query.blob(at: 1), keys) else {
      return nil
    }
    return CachedSourceID(number: query.integer(at: 0))
  }

  /// The number of a source, whose definition is kept, and replaced where it is another.
  ///
  /// - Throws: ``TileCacheError/sourceTaken(_:)`` if the source of that name is at another address.
  public func source(_ config: MapCacheConfig) async throws(TileCacheError) -> CachedSourceID {
    let name = config.cacheName
    if let known = sources[name], known.config == config { return known.id }
    let keys = keys
    let same = try await read { connection -> RecordedSource? in
      guard let definition = try keys.record(of: config) else { return nil }
      let query = try connection.query(
        "SELECT id FROM source WHERE name = ?1 AND definition = ?2", .text(name),
        .blob(definition))
      guard try query.step() else { return nil }
      return RecordedSource(
        id: CachedSourceID(number: query.integer(at: 0)), config: config, record: definition)
    }
    if let same {
      note(same)
      return same.id
    }
    let source = try await write { connection in
      let query = try connection.query(
        "SELECT id, definition FROM source WHERE name = ?1", .text(name))
      guard try query.step() else { return try Self.added(config, keys, connection) }
      let number = query.integer(at: 0)
      guard !config.isElsewhere(thanRecord: query.blob(at: 1), keys) else {
        throw TileCacheError.sourceTaken(name)
      }
      query.reset()
      let record = try keys.keep(config)
      try connection.execute(
        "UPDATE source SET definition = ?2 WHERE id = ?1", .integer(number), .blob(record))
      return RecordedSource(id: CachedSourceID(number: number), config: config, record: record)
    }
    // A key too many is forgotten the next time.
    _ = try? await write { try keys.forgetUnused($0) }
    note(source)
    return source.id
  }

  /// Takes note of a source under a name of its own, unless it is here: in one write, so that two who
  /// do so at a time get two names.
  ///
  /// - Parameters:
  ///   - config: The source; a number is put behind its name where another has it.
  ///   - isSame: Whether a source that is here is this one; of several that are, the one of its name is
  ///     meant.
  /// - Returns: The source that is here; else `config`, with the name that it has got.
  /// - Throws: ``TileCacheError`` if the cache can be neither read nor written.
  public func register(
    _ config: MapCacheConfig, unless isSame: @Sendable (MapCacheConfig) -> Bool
  ) async throws(TileCacheError) -> MapCacheConfig {
    @Sendable func known(among configs: [MapCacheConfig]) -> MapCacheConfig? {
      let same = configs.filter(isSame)
      return same.first { $0.cacheName == config.cacheName } ?? same.first
    }
    if let known = known(among: try await configs()) { return known }
    let keys = keys
    return try await write { connection in
      let (configs, names) = try Self.sources(connection, keys)
      // Another process may have been first.
      if let known = known(among: configs) { return known }
      var config = config
      if names.contains(config.cacheName) {
        config.cacheName = Self.freeName(like: config.cacheName, among: names)
      }
      _ = try Self.added(config, keys, connection)
      return config
    }
  }

  /// The sources that have been used, by name.
  ///
  /// One whose definition cannot be read is left out.
  public func configs() async throws(TileCacheError) -> [MapCacheConfig] {
    let keys = keys
    let configs = try await read { try Self.sources($0, keys).configs }
    noteRead(configs)
    return configs
  }

  /// The source of that name; `nil` if none was used.
  public func config(named name: String) async throws(TileCacheError) -> MapCacheConfig? {
    try await configs().first { $0.cacheName == name }
  }

  /// Removes a source with its tiles.
  ///
  /// - Returns: What was removed.
  /// - Throws: ``TileCacheError/sourceInUse(_:regions:)`` if a region uses it.
  @discardableResult
  public func removeSource(named name: String) async throws(TileCacheError) -> ClearedTiles {
    guard let id = try await knownSource(named: name) else { return ClearedTiles() }
    try Self.check(try await regionNames(of: id), name)
    let cleared = try await clear(.source(id))
    try await write { connection in
      // A region may have been made meanwhile.
      try Self.check(try Self.regionNames(of: id, connection), name)
      try connection.execute("DELETE FROM tile WHERE source = ?1", .integer(id.number))
      try connection.execute("DELETE FROM source WHERE id = ?1", .integer(id.number))
    }
    sources[name] = nil
    let keys = keys
    try await write { try keys.forgetUnused($0) }
    return cleared
  }

  /// Forgets a source of which there is no tile and no region.
  public func forgetUnused(_ config: MapCacheConfig) async throws(TileCacheError) {
    let keys = keys
    try await write { connection in
      guard let record = try keys.record(of: config) else { return }
      try connection.execute(
        """
        DELETE FROM source WHERE name = ?1 AND definition = ?2
          AND NOT EXISTS (SELECT 1 FROM tile WHERE tile.source = source.id)
          AND NOT EXISTS (SELECT 1 FROM region WHERE region.source = source.id)
        """, .text(config.cacheName), .blob(record))
    }
    sources[config.cacheName] = nil
    try await write { try keys.forgetUnused($0) }
  }

  private func regionNames(of id: CachedSourceID) async throws(TileCacheError) -> [String] {
    try await read { try Self.regionNames(of: id, $0) }
  }

  private static func regionNames(
    of id: CachedSourceID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [String] {
    let query = try connection.query(
      "SELECT name FROM region WHERE source = ?1 ORDER BY name", .integer(id.number))
    var names: [String] = []
    while try query.step() { names.append(query.text(at: 0)) }
    return names
  }

  private static func check(_ regions: [String], _ name: String) throws(TileCacheError) {
    guard regions.isEmpty else { throw .sourceInUse(name, regions: regions) }
  }

  /// The number of a source, which is kept if there is none of its name; in a transaction of the caller.
  ///
  /// - Throws: ``TileCacheError/sourceTaken(_:)`` if the source of that name is at another address.
  static func number(
    of config: MapCacheConfig, as known: Data?, _ keys: SourceKeyFile,
    _ connection: borrowing Connection
  ) throws -> CachedSourceID {
    let query = try connection.query(
      "SELECT id, definition FROM source WHERE name = ?1", .text(config.cacheName))
    guard try query.step() else { return try added(config, keys, connection).id }
    let record = query.blob(at: 1)
    // Reading a definition takes longer than writing a tile.
    guard record == known || !config.isElsewhere(thanRecord: record, keys) else {
      throw TileCacheError.sourceTaken(config.cacheName)
    }
    return CachedSourceID(number: query.integer(at: 0))
  }

  private static func added(
    _ config: MapCacheConfig, _ keys: SourceKeyFile, _ connection: borrowing Connection
  ) throws -> RecordedSource {
    let record = try keys.keep(config)
    // No number is used twice: others may take it for that of a source that was removed since.
    try connection.execute(
      "UPDATE totals SET counter = max(counter, (SELECT coalesce(max(id), 0) FROM source))")
    let number = try TileRecords.count(up: 1, connection)
    try connection.execute(
      "INSERT INTO source (id, name, definition) VALUES (?1, ?2, ?3)", .integer(number),
      .text(config.cacheName), .blob(record))
    return RecordedSource(id: CachedSourceID(number: number), config: config, record: record)
  }

  /// The sources whose definitions can be read, and the names of all.
  private static func sources(
    _ connection: borrowing Connection, _ keys: SourceKeyFile
  ) throws(DatabaseError) -> (configs: [MapCacheConfig], names: Set<String>) {
    let query = try connection.query("SELECT name, definition FROM source ORDER BY name")
    var (configs, names) = ([MapCacheConfig](), Set<String>())
    while try query.step() {
      names.insert(query.text(at: 0))
      if let config = keys.config(query.blob(at: 1)) { configs.append(config) }
    }
    return (configs, names)
  }
}

extension MapCacheConfig {
  /// Whether it comes from that address.
  public func isAt(_ text: String) -> Bool { urlTemplate.text == text || address == text }

  /// Whether the tiles of both are at the same addresses.
  public func isSame(as other: MapCacheConfig) -> Bool {
    urlTemplate == other.urlTemplate && address == other.address
  }

  /// Whether the tiles of both are at the same addresses but for the keys in these.
  public func isSame(butForKeysOf other: MapCacheConfig) -> Bool {
    func place(_ text: String) -> String { SourceKeys.withoutNamedKeys(text) }
    return place(urlTemplate.text) == place(other.urlTemplate.text)
      && address.map(place) == other.address.map(place)
  }

  /// The source with the addresses of another, which differ from its own by their keys.
  public func withKeys(of other: MapCacheConfig) -> MapCacheConfig {
    var source = self
    source.urlTemplate = other.urlTemplate
    source.alternatives = other.alternatives
    source.address = other.address
    source.archive = other.archive
    return source
  }

  /// Whether both have addresses by which they are known, and these differ; else whether their templates
  /// do.
  ///
  /// Keys may differ, and how addresses begin and end: a source stays what it is with a new key. Where
  /// addresses are the same, templates may differ too.
  public func isElsewhere(than other: MapCacheConfig) -> Bool {
    // What came from a file has no address.
    guard !isImported, !other.isImported else { return false }
    if let address, let there = other.address {
      // The same document may be asked for with more words or fewer.
      return Self.place(address) != Self.place(there)
        || SourceKeys.differInQuery(address, there, namesOfBoth: true)
    }
    let (here, there) = (urlTemplate.text, other.urlTemplate.text)
    guard here != there else { return false }
    return Self.place(here) != Self.place(there) || SourceKeys.differInQuery(here, there)
  }

  /// Whether a record is that of a source at another address; one that cannot be read is not.
  func isElsewhere(thanRecord record: Data, _ keys: SourceKeyFile) -> Bool {
    guard let other = keys.config(record) else { return false }
    return isElsewhere(than: other)
  }

  /// The host and path of an address, without user and password.
  private static func place(_ address: String) -> String {
    let path = TileURLTemplate.withoutSecrets(address)
    let start = path.range(of: "://")?.upperBound ?? path.startIndex
    return path[start...].lowercased().trimmingCharacters(in: ["/"])
  }
}
