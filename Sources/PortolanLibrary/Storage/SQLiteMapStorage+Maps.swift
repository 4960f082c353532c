public import Foundation
internal import PortolanJobs
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func storedMaps() async throws(LibraryError) -> [StoredMap] {
    try await read { connection in
      let query = try connection.query(
        "SELECT \(StoredMapRow.columns) FROM stored_map ORDER BY title, id")
      var row = StoredMapRow()
      var maps: [StoredMap] = []
      while try query.step() {
        if let map = row.map(query) { maps.append(map) }
      }
      return maps
    }
  }

  public func storedMap(_ id: MapID) async throws(LibraryError) -> StoredMap? {
    try await read { connection in
      let query = try connection.query(
        "SELECT \(StoredMapRow.columns) FROM stored_map WHERE id = ?1", .text(id.text))
      var row = StoredMapRow()
      return try query.step() ? row.map(query) : nil
    }
  }

  public func save(_ map: StoredMap) async throws(LibraryError) { try await save([map]) }

  /// Writes many records at once.
  public func save(_ maps: [StoredMap]) async throws(LibraryError) {
    try await write(.storedMaps) { connection in
      for map in maps { try Self.save(map, connection) }
    }
  }

  private static func save(_ map: StoredMap, _ connection: borrowing Connection) throws {
    let values = try StoredMapRow.values(of: map)
    let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let insertion = try connection.query(
      "INSERT OR REPLACE INTO stored_map (\(StoredMapRow.columns)) VALUES (\(places))")
    for (index, value) in values.enumerated() { try insertion.bind(value, at: index + 1) }
    while try insertion.step() {}
    try connection.execute("DELETE FROM installation WHERE id = ?1", .text(map.id.text))
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
    try await write(.storedMaps) { connection in
      try connection.execute("DELETE FROM stored_map WHERE id = ?1", .text(id.text))
      try connection.execute("DELETE FROM thumbnail WHERE id = ?1", .text(id.text))
    }
  }

  public func knownMaps() async throws(LibraryError) -> [KnownMap] {
    try await records(of: KnownMap.self, "SELECT record FROM known_map ORDER BY title, id")
  }

  public func save(_ map: KnownMap) async throws(LibraryError) {
    try await write(.knownMaps) { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO known_map (id, title, record) VALUES (?1, ?2, ?3)",
        .text(map.id), .text(map.title), .blob(StorageRecord.data(map)))
    }
  }

  public func removeKnownMap(_ id: String) async throws(LibraryError) {
    try await write(.knownMaps) { connection in
      try connection.execute(
        """
        DELETE FROM thumbnail WHERE id = ?1
          OR (id IN (SELECT id FROM known_area WHERE web_map = ?1)
            AND id NOT IN (SELECT id FROM stored_map))
        """, .text(id))
      try connection.execute("DELETE FROM known_area WHERE web_map = ?1", .text(id))
      try connection.execute("DELETE FROM known_map WHERE id = ?1", .text(id))
    }
  }

  public func knownAreas(of webMap: String) async throws(LibraryError) -> [KnownArea] {
    try await records(
      of: KnownArea.self, "SELECT record FROM known_area WHERE web_map = ?1 ORDER BY title, id",
      .text(webMap))
  }

  public func save(_ areas: [KnownArea], of webMap: String) async throws(LibraryError) {
    try await write(.knownMaps) { connection in
      let gone = try connection.query(
        "SELECT id FROM known_area WHERE web_map = ?1", .text(webMap))
      var lost: Set<String> = []
      while try gone.step() { lost.insert(gone.text(at: 0)) }
      for id in lost.subtracting(areas.map(\.id)) {
        try connection.execute(
          "DELETE FROM thumbnail WHERE id = ?1 AND id NOT IN (SELECT id FROM stored_map)",
          .text(id))
      }
      try connection.execute("DELETE FROM known_area WHERE web_map = ?1", .text(webMap))
      for area in areas {
        try connection.execute(
          "INSERT INTO known_area (id, web_map, title, record) VALUES (?1, ?2, ?3, ?4)",
          .text(area.id), .text(webMap), .text(area.title), .blob(StorageRecord.data(area)))
      }
    }
  }

  public func thumbnail(of id: String) async throws(LibraryError) -> Data? {
    try await read { connection in
      let query = try connection.query("SELECT data FROM thumbnail WHERE id = ?1", .text(id))
      return try query.step() ? query.blob(at: 0) : nil
    }
  }

  public func setThumbnail(_ data: Data?, of id: String) async throws(LibraryError) {
    try await write([]) { connection in
      guard let data else {
        return try connection.execute("DELETE FROM thumbnail WHERE id = ?1", .text(id))
      }
      try connection.execute(
        "INSERT OR REPLACE INTO thumbnail (id, data) VALUES (?1, ?2)", .text(id), .blob(data))
    }
  }

  public func unreadableRecords() async throws(LibraryError) -> [String] {
    try await read { connection in
      try Self.unreadableMaps(connection)
        + Self.unreadable(KnownMap.self, in: "known_map", connection)
        + Self.unreadable(KnownArea.self, in: "known_area", connection)
        + Self.unreadable(Job.self, in: "job", connection)
        + Self.unreadable(MapInstallation.self, in: "installation", connection)
    }
  }

  private static func unreadableMaps(_ connection: borrowing Connection) throws -> [String] {
    let query = try connection.query(
      "SELECT \(StoredMapRow.columns) FROM stored_map ORDER BY id")
    var row = StoredMapRow()
    var found: [String] = []
    while try query.step() {
      if row.map(query) == nil { found.append("stored_map \(query.text(at: 0))") }
    }
    return found
  }

  private static func unreadable<Record: Decodable>(
    _ type: Record.Type, in table: String, _ connection: borrowing Connection
  ) throws -> [String] {
    let query = try connection.query("SELECT id, record FROM \(table) ORDER BY id")
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
