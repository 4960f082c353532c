internal import Foundation
internal import PortolanJSON
internal import PortolanSQLite

// What is said of a source by those who only store its tiles.
extension TileCacheStore {
  /// How many definitions of a source are remembered.
  private static let mostDefinitions = 16

  /// Notes the definitions of sources as they were read.
  func noteRead(_ configs: [MapCacheConfig]) {
    for config in configs {
      var definitions = readDefinitions[config.cacheName] ?? []
      if definitions.count >= Self.mostDefinitions { definitions = [] }
      definitions.insert(config.json.encoded())
      readDefinitions[config.cacheName] = definitions
    }
  }

  /// Notes what has become of a definition that was read, where only its server says something else.
  func noteRead(_ config: MapCacheConfig, insteadOf known: MapCacheConfig) {
    let definitions = readDefinitions[known.cacheName] ?? []
    if definitions.contains(known.json.encoded()) { noteRead([config]) }
  }

  /// The number of the source of a tile that is stored.
  ///
  /// Its definition is kept as ``source(_:)`` does it, but for one that is as it was read here once: it says
  /// nothing against what another process has made of it since.
  ///
  /// - Throws: ``TileCacheError/sourceTaken(_:)`` if the source of that name is at another address.
  func source(storing config: MapCacheConfig) async throws(TileCacheError) -> CachedSourceID {
    let name = config.cacheName
    if let known = sources[name], known.config == config { return known.id }
    guard let definitions = readDefinitions[name], definitions.contains(config.json.encoded()),
      let recorded = try await recorded(config)
    else { return try await source(config) }
    note(recorded)
    return recorded.id
  }

  /// A source as it is known here, with its number and its definition in the file; `nil` if there is none of
  /// its name, or that is at another address.
  private func recorded(
    _ config: MapCacheConfig
  ) async throws(TileCacheError) -> RecordedSource? {
    let keys = keys
    return try await read { connection -> RecordedSource? in
      let query = try connection.query(
        "SELECT id, definition FROM source WHERE name = ?1", .text(config.cacheName))
      guard try query.step() else { return nil }
      let record = query.blob(at: 1)
      guard !config.isElsewhere(thanRecord: record, keys) else { return nil }
      return RecordedSource(
        id: CachedSourceID(number: query.integer(at: 0)), config: config, record: record)
    }
  }
}
