public import Foundation
internal import PortolanSQLite

/// The storage in `library.sqlite` of the home folder.
///
/// Records are kept as JSON beside the columns that are asked for, so that a record may grow
/// without a migration; one that cannot be read is left out of lists and told by
/// ``unreadableRecords()``, never lost.
public actor SQLiteMapStorage: MapStorage {
  /// The file.
  public nonisolated let url: URL
  let database: Database
  private var broadcast = ChangeBroadcast()
  /// What SQLite counts up when another process has written.
  private var dataVersion: Int64?

  /// Opens the catalogue, or makes an empty one.
  ///
  /// - Parameter url: The file; its folder is there.
  /// - Returns: The storage.
  /// - Throws: ``LibraryError/newerCatalogue(file:version:)``,
  ///   ``LibraryError/catalogue(file:reason:)``.
  public static func open(at url: URL) async throws(LibraryError) -> SQLiteMapStorage {
    do {
      try StorageSchema.prepare(url)
      let database = try Database(at: url, access: .readWrite)
      try await StorageSchema.migrate(database, file: url)
      return SQLiteMapStorage(url: url, database: database)
    } catch {
      throw LibraryError(error, file: url)
    }
  }

  private init(url: URL, database: Database) {
    self.url = url
    self.database = database
  }

  public func changes() -> AsyncStream<MapStorageChange> {
    broadcast.listen { key in Task { await self.stopListening(key) } }
  }

  private func stopListening(_ key: UUID) { broadcast.remove(key) }

  // MARK: - Access

  /// Reads, and tells listeners if another process has written.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(LibraryError) -> T {
    do {
      let (value, version) = try await database.read { connection in
        let query = try connection.query("PRAGMA data_version")
        let version = try query.step() ? query.integer(at: 0) : 0
        return (try body(connection), version)
      }
      if let dataVersion, dataVersion != version { broadcast.tell(.all) }
      dataVersion = version
      return value
    } catch {
      throw LibraryError(error, file: url)
    }
  }

  /// Writes in one transaction that is on the disk when this returns, and tells listeners.
  func write<T: Sendable>(
    _ change: MapStorageChange, _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(LibraryError) -> T {
    let value: T
    do {
      value = try await database.write(body)
    } catch {
      throw LibraryError(error, file: url)
    }
    if !change.isEmpty { broadcast.tell(change) }
    return value
  }

  /// What SQLite counts up when another process has written.
  func version() async throws(LibraryError) -> Int {
    try await read { _ in }
    return Int(dataVersion ?? 0)
  }
}

extension LibraryError {
  init(_ error: any Error, file: URL) {
    let path = file.path(percentEncoded: false)
    switch error {
    case let error as LibraryError: self = error
    case let error as DatabaseError where error.code == .full: self = .diskFull(file: path)
    case let error as DatabaseError: self = .catalogue(file: path, reason: error.message)
    case is CancellationError: self = .cancelled
    default: self = .catalogue(file: path, reason: error.localizedDescription)
    }
  }
}
