internal import Foundation
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func versions(of id: MapID) async throws(LibraryError) -> [MapVersion] {
    guard schema >= StorageSchema.firstWithVersions else { return [] }
    return try await read { connection in
      try Self.versions(
        connection.query(
          "SELECT record, edited FROM map_version WHERE map = ?1 ORDER BY number",
          .text(id.text)))
    }
  }

  public func earlierVersions() async throws(LibraryError) -> [MapVersion] {
    guard schema >= StorageSchema.firstWithVersions else { return [] }
    return try await read { connection in
      try Self.versions(
        connection.query(
          """
          SELECT v.record, v.edited FROM map_version v JOIN stored_map m ON m.id = v.map
          WHERE v.number <> m.version AND m.deleted IS NULL ORDER BY v.map, v.number
          """))
    }
  }

  private static func versions(_ query: consuming Query) throws -> [MapVersion] {
    var versions: [MapVersion] = []
    while try query.step() {
      guard var version = StorageRecord.value(MapVersion.self, from: query.blob(at: 0)) else {
        continue
      }
      version.isEdited = query.integer(at: 1) != 0
      versions.append(version)
    }
    return versions
  }

  public func install(
    _ version: MapVersion, replacing previous: MapVersion?
  ) async throws(LibraryError) {
    // Its files have their place already: without it people would be told that it is not stored.
    try await write(.storedMaps, usingReserve: true) { connection in
      for version in [previous, version].compactMap(\.self) {
        try Self.save(version, connection)
      }
      try Self.save(version.map, connection)
    }
  }

  /// Writes a version; that editing has begun since it was read stays recorded.
  static func save(_ version: MapVersion, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      INSERT INTO map_version (map, number, edited, record) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (map, number) DO UPDATE SET edited = max(edited, excluded.edited),
        record = excluded.record
      """, .text(version.map.id.text), .integer(Int64(version.number)),
      .integer(version.isEdited ? 1 : 0), .blob(StorageRecord.data(version)))
  }

  public func removeVersion(_ number: Int, of id: MapID) async throws(LibraryError) {
    try await write([], usingReserve: true) { connection in
      try connection.execute(
        "DELETE FROM map_version WHERE map = ?1 AND number = ?2", .text(id.text),
        .integer(Int64(number)))
    }
  }

  public func markEdited(_ number: Int, of id: MapID) async throws(LibraryError) {
    try await write([]) { connection in
      try connection.execute(
        "UPDATE map_version SET edited = 1 WHERE map = ?1 AND number = ?2", .text(id.text),
        .integer(Int64(number)))
    }
  }

  public func mayLackMaps() async throws(LibraryError) -> Bool {
    try await read { try $0.applicationID() == StorageSchema.unlistedMaps }
  }

  public func mapsWereLookedFor() async throws(LibraryError) {
    try await write([]) { try $0.setApplicationID(0) }
  }

  public func recordUse(onDay day: Int) async throws(LibraryError) -> Int {
    let known = try await read { try Self.use($0) }
    guard !known.latest.contains(day) else { return known.count }
    return try await write([], usingReserve: true) { connection in
      var use = try Self.use(connection)
      // Another process may have counted it meanwhile.
      guard !use.latest.contains(day) else { return use.count }
      let count = use.record(day)
      try connection.execute(
        "INSERT INTO home_use (days, last_day) VALUES (?1, ?2)", .integer(Int64(count)),
        .integer(Int64(day)))
      try connection.execute(
        "DELETE FROM home_use WHERE days <= ?1", .integer(Int64(count - DaysOfUse.memory)))
      return count
    }
  }

  /// What a row for each day says that was counted: the day, and how many it made.
  private static func use(_ connection: borrowing Connection) throws -> DaysOfUse {
    let query = try connection.query("SELECT days, last_day FROM home_use ORDER BY days")
    var count = 0
    var latest: [Int] = []
    while try query.step() {
      count = Int(query.integer(at: 0))
      if !query.isNull(at: 1) { latest.append(Int(query.integer(at: 1))) }
    }
    return DaysOfUse(count: count, latest: latest)
  }
}
