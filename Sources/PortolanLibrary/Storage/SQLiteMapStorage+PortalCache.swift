public import Foundation
internal import PortolanSQLite

// What portals said, and pictures.
extension SQLiteMapStorage {
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

  public func packageDates() async throws(LibraryError) -> [String: Date] {
    // A catalogue of an older version that can only be read has none.
    guard schema >= StorageSchema.firstWithPackageDates else { return [:] }
    return try await read { connection in
      let query = try connection.query("SELECT map, modified FROM package_date")
      var dates: [String: Date] = [:]
      while try query.step() {
        dates[query.text(at: 0)] = Date(timeIntervalSinceReferenceDate: query.real(at: 1))
      }
      return dates
    }
  }

  public func save(packageDate: Date?, of map: String) async throws(LibraryError) {
    try await write(.knownMaps) { connection in
      guard let packageDate else {
        return try connection.execute("DELETE FROM package_date WHERE map = ?1", .text(map))
      }
      try connection.execute(
        "INSERT OR REPLACE INTO package_date (map, modified) VALUES (?1, ?2)", .text(map),
        .real(packageDate.timeIntervalSinceReferenceDate))
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
}
