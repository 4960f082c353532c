internal import Foundation
internal import PortolanJobs
internal import PortolanSQLite

/// What can still be read in a damaged catalogue, as far as the damage in each table.
struct SalvagedCatalogue: Sendable {
  private var maps: [StoredMap] = []
  private var versions: [MapVersion] = []
  private var installations: [MapInstallation] = []
  private var known: [KnownMap] = []
  private var areas: [KnownArea] = []
  private var jobs: [Job] = []
  private var messages: [OutboxMessage] = []

  /// Reads what it can.
  @concurrent init(of file: URL) async {
    // What is no database at all holds nothing.
    guard let connection = try? Connection(at: file, access: .readOnly) else { return }
    maps = Self.records(in: "stored_map", connection)
    versions = Self.versions(in: connection)
    installations = Self.records(in: "installation", connection)
    known = Self.records(in: "known_map", connection)
    areas = Self.records(in: "known_area", connection)
    jobs = Self.records(in: "job", connection)
    messages = Self.records(in: "outbox", connection)
  }

  private static func records<Record: Decodable>(
    in table: String, _ connection: borrowing Connection
  ) -> [Record] {
    rows("SELECT record FROM \(table)", connection) { row in
      StorageRecord.value(Record.self, from: row.blob(at: 0))
    }
  }

  /// The versions, with what is marked beside their records: that somebody has edited them.
  private static func versions(in connection: borrowing Connection) -> [MapVersion] {
    rows("SELECT record, edited FROM map_version", connection) { row in
      var version = StorageRecord.value(MapVersion.self, from: row.blob(at: 0))
      version?.isEdited = row.integer(at: 1) != 0
      return version
    }
  }

  private static func rows<Record>(
    _ sql: String, _ connection: borrowing Connection,
    _ record: (borrowing Query) -> Record?
  ) -> [Record] {
    var records: [Record] = []
    do {
      let query = try connection.query(sql)
      while try query.step() {
        if let record = record(query) { records.append(record) }
      }
    } catch {
      // The damage; what came before it counts.
    }
    return records
  }

  /// Writes all of it.
  func save(in storage: SQLiteMapStorage) async throws(LibraryError) {
    try await storage.save(maps, versions)
    for installation in installations { try await storage.announce(installation) }
    for map in known { try await storage.save(map) }
    for (map, areas) in Dictionary(grouping: areas, by: \.webMap) {
      try await storage.save(areas, of: map)
    }
    do throws(JobError) {
      for job in jobs { try await storage.record(job) }
      for message in messages { try await storage.post(message) }
    } catch {
      throw .catalogue(
        file: storage.url.path(percentEncoded: false),
        reason: error.errorDescription ?? "a job cannot be written")
    }
  }
}
