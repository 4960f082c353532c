internal import Foundation
internal import PortolanJobs
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func storedMaps() async throws(LibraryError) -> [StoredMap] {
    let schema = schema
    return try await read { connection in
      let query = try connection.query(
        "SELECT \(StoredMapRow.columns(inVersion: schema)) FROM stored_map ORDER BY title, id")
      var row = StoredMapRow()
      var maps: [StoredMap] = []
      while try query.step() {
        if let map = row.map(query) { maps.append(map) }
      }
      return maps
    }
  }

  public func storedMap(_ id: MapID) async throws(LibraryError) -> StoredMap? {
    let schema = schema
    return try await read { connection in
      let query = try connection.query(
        "SELECT \(StoredMapRow.columns(inVersion: schema)) FROM stored_map WHERE id = ?1",
        .text(id.text))
      var row = StoredMapRow()
      return try query.step() ? row.map(query) : nil
    }
  }

  public func save(_ map: StoredMap) async throws(LibraryError) {
    // What is deleted makes space, be the disk full.
    try await write(.storedMaps, usingReserve: map.deleted != nil) { connection in
      try Self.save(map, connection)
    }
  }

  /// Writes many records at once.
  public func save(
    _ maps: [StoredMap], _ versions: [MapVersion] = []
  ) async throws(LibraryError) {
    try await write(.storedMaps) { connection in
      for version in versions { try Self.save(version, connection) }
      for map in maps { try Self.save(map, connection) }
    }
  }

  static func save(_ map: StoredMap, _ connection: borrowing Connection) throws {
    let values = try StoredMapRow.values(of: map)
    let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let insertion = try connection.query(
      "INSERT OR REPLACE INTO stored_map (\(StoredMapRow.columns)) VALUES (\(places))")
    for (index, value) in values.enumerated() { try insertion.bind(value, at: index + 1) }
    while try insertion.step() {}
    try connection.execute("DELETE FROM installation WHERE id = ?1", .text(map.id.text))
    guard map.deleted == nil else { return }
    try connection.execute("DELETE FROM lost_options WHERE map = ?1", .text(map.id.text))
  }

  public func keepOptions(of map: StoredMap) async throws(LibraryError) {
    guard let options = map.options else { return }
    try await write([], usingReserve: true) { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO lost_options (map, record) VALUES (?1, ?2)", .text(map.id.text),
        .blob(StorageRecord.data(options)))
    }
  }

  public func lostOptions(of id: MapID) async throws(LibraryError) -> StoredAreaOptions? {
    guard schema >= StorageSchema.firstWithOptions else { return nil }
    return try await records(
      of: StoredAreaOptions.self, "SELECT record FROM lost_options WHERE map = ?1", .text(id.text)
    ).first
  }

  public func announce(_ installation: MapInstallation) async throws(LibraryError) {
    try await write([]) { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO installation (id, record) VALUES (?1, ?2)",
        .text(installation.map.id.text), .blob(StorageRecord.data(installation)))
    }
  }

  public func withdraw(_ installation: MapInstallation) async throws(LibraryError) {
    try await write([]) { connection in
      try connection.execute(
        "DELETE FROM installation WHERE id = ?1", .text(installation.map.id.text))
    }
  }

  public func installations() async throws(LibraryError) -> [MapInstallation] {
    try await records(of: MapInstallation.self, "SELECT record FROM installation ORDER BY id")
  }

  public func removeStoredMap(_ id: MapID) async throws(LibraryError) {
    try await write(.storedMaps, usingReserve: true) { connection in
      try connection.execute("DELETE FROM stored_map WHERE id = ?1", .text(id.text))
      try connection.execute("DELETE FROM map_version WHERE map = ?1", .text(id.text))
      try connection.execute("DELETE FROM thumbnail WHERE id = ?1", .text(id.text))
      try connection.execute("DELETE FROM package_date WHERE map = ?1", .text(id.text))
    }
  }

  public func unreadableRecords() async throws(LibraryError) -> [String] {
    let schema = schema
    return try await read { connection in
      let messages: [String] =
        try schema < StorageSchema.firstWithOutbox
        ? [] : Self.unreadable(OutboxMessage.self, in: "outbox", connection)
      let requests: [String] =
        try schema < StorageSchema.firstWithRequests ? [] : Self.unreadableRequests(connection)
      return try Self.unreadableMaps(connection, schema)
        + Self.unreadable(KnownMap.self, in: "known_map", connection)
        + Self.unreadable(KnownArea.self, in: "known_area", connection)
        + Self.unreadable(Job.self, in: "job", connection)
        + requests
        + Self.unreadable(MapInstallation.self, in: "installation", connection)
        + (schema < StorageSchema.firstWithVersions
          ? [] : Self.unreadable(MapVersion.self, in: "map_version", id: "map", connection))
        + messages
    }
  }

  private static func unreadableMaps(
    _ connection: borrowing Connection, _ schema: Int
  ) throws -> [String] {
    let query = try connection.query(
      "SELECT \(StoredMapRow.columns(inVersion: schema)) FROM stored_map ORDER BY id")
    var row = StoredMapRow()
    var found: [String] = []
    while try query.step() {
      if row.map(query) == nil { found.append("stored_map \(query.text(at: 0))") }
    }
    return found
  }

  private static func unreadable<Record: Decodable>(
    _ type: Record.Type, in table: String, id: String = "id", _ connection: borrowing Connection
  ) throws -> [String] {
    let query = try connection.query("SELECT \(id), record FROM \(table) ORDER BY \(id)")
    var found: [String] = []
    while try query.step() {
      if StorageRecord.value(type, from: query.blob(at: 1)) == nil {
        found.append("\(table) \(query.text(at: 0))")
      }
    }
    return found
  }

  /// The records that a query finds in its first column.
  func records<Record: Decodable & Sendable>(
    of type: Record.Type, _ sql: String, _ values: SQLValue...
  ) async throws(LibraryError) -> [Record] {
    try await read { connection in
      let query = try connection.query(sql)
      for (index, value) in values.enumerated() { try query.bind(value, at: index + 1) }
      var records: [Record] = []
      while try query.step() {
        if let record = StorageRecord.value(type, from: query.blob(at: 0)) {
          records.append(record)
        }
      }
      return records
    }
  }
}
