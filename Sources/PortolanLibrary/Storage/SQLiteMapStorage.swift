public import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// The storage in `library.sqlite` of the home folder.
///
/// Records are kept as JSON beside the columns that are requested, so that a record may grow
/// without a migration; one that cannot be read is left out of lists and told by
/// ``unreadableRecords()``, never lost.
public actor SQLiteMapStorage: MapStorage {
  /// The file.
  public nonisolated let url: URL
  private var database: Database
  private var broadcast = ChangeBroadcast()
  /// What SQLite counts up when another process has written.
  private var dataVersion: Int64?

  /// Why nothing can be written; `nil` if all can be changed.
  public nonisolated let readOnlyReason: String?
  /// The version of its tables.
  let schema: Int
  private let reserve: DiskReserve
  /// How often another catalogue may take the place of the one that is written to.
  private static let mostReplacements = 3

  /// Opens the catalogue, or creates an empty one.
  ///
  /// Where it cannot be written, as in a home on a read-only medium or a full disk, it is opened to be
  /// read; ``readOnlyReason`` says why.
  ///
  /// - Parameter url: The file; its folder is there.
  /// - Returns: The storage.
  /// - Throws: ``LibraryError/newerCatalogue(file:version:)``,
  ///   ``LibraryError/damagedCatalogue(file:reason:)``, ``LibraryError/busyCatalogue(file:by:)``,
  ///   ``LibraryError/catalogue(file:reason:)``.
  public static func open(at url: URL) async throws(LibraryError) -> SQLiteMapStorage {
    let reserve = HomeLayout(home: url.deletingLastPathComponent()).reserve
    do throws(LibraryError) { return try await openForWriting(url, reserve) } catch {
      guard error.leavesReading else { throw error }
      // What keeps it from being written is known already, and told by `readOnlyReason`.
      if reserve.release(), let storage = try? await openForWriting(url, reserve) {
        return storage
      }
      return try await openForReading(url, because: error)
    }
  }

  private static func openForWriting(
    _ url: URL, _ reserve: DiskReserve
  ) async throws(LibraryError) -> SQLiteMapStorage {
    do {
      try StorageSchema.prepare(url)
      let database = try Database(at: url, access: .readWrite)
      try await StorageSchema.migrate(database, file: url)
      reserve.fill()
      return SQLiteMapStorage(
        url: url, database: database, schema: StorageSchema.currentVersion, reserve: reserve)
    } catch {
      throw LibraryError(error, file: url)
    }
  }

  /// Opens a catalogue that cannot be written.
  private static func openForReading(
    _ url: URL, because reason: LibraryError
  ) async throws(LibraryError) -> SQLiteMapStorage {
    do {
      let database = try Database(at: url, access: .readOnly)
      let version = try await database.read { Int(try $0.userVersion()) }
      guard (1...StorageSchema.currentVersion).contains(version) else { throw reason }
      return SQLiteMapStorage(
        url: url, database: database, schema: version,
        reserve: HomeLayout(home: url.deletingLastPathComponent()).reserve,
        readOnlyReason: reason.whyReadOnly(url))
    } catch {
      throw reason
    }
  }

  private init(
    url: URL, database: Database, schema: Int, reserve: DiskReserve, readOnlyReason: String? = nil
  ) {
    self.url = url
    self.database = database
    self.schema = schema
    self.reserve = reserve
    self.readOnlyReason = readOnlyReason
  }

  public func changes() -> AsyncStream<MapStorageChange> {
    broadcast.listen { key in Task { await self.stopListening(key) } }
  }

  private func stopListening(_ key: UUID) { broadcast.remove(key) }

  // MARK: - Access

  /// The catalogue that is at its path now, as a repair may have put another one there: nobody would find
  /// what is written to the one that was put aside, or deleted.
  private func current(toWrite writes: Bool = false) async throws -> Database {
    let used = database
    guard readOnlyReason == nil, try await used.read({ !$0.isCurrent }), database === used else {
      return database
    }
    guard FileStatus(url) != nil else {
      // What is in it can still be read.
      guard !writes else {
        throw LibraryError.catalogueGone(file: url.path(percentEncoded: false))
      }
      return used
    }
    try StorageSchema.prepare(url)
    let fresh = try Database(at: url, access: .readWrite)
    try await StorageSchema.migrate(fresh, file: url)
    database = fresh
    dataVersion = nil
    broadcast.send(.all)
    return fresh
  }

  /// Reads, and tells listeners if another process has written.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(LibraryError) -> T {
    do {
      let (value, version) = try await current().read { connection in
        let query = try connection.query("PRAGMA data_version")
        let version = try query.step() ? query.integer(at: 0) : 0
        return (try body(connection), version)
      }
      if let dataVersion, dataVersion != version { broadcast.send(.all) }
      dataVersion = version
      return value
    } catch {
      throw LibraryError(error, file: url)
    }
  }

  /// Writes in one transaction that is on the disk when this returns, and tells listeners.
  ///
  /// - Parameters:
  ///   - change: What is written.
  ///   - usesReserve: Whether space that was set aside may be used on a full disk, since the change
  ///     goes with making space.
  ///   - body: Writes.
  /// - Returns: What `body` returns.
  /// - Throws: ``LibraryError``; then nothing was written.
  func write<T: Sendable>(
    _ change: MapStorageChange, usingReserve usesReserve: Bool = false,
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(LibraryError) -> T {
    if let readOnlyReason {
      throw .readOnlyHome(file: url.path(percentEncoded: false), reason: readOnlyReason)
    }
    let value: T
    do {
      value = try await writeToCurrent(body)
    } catch let error as DatabaseError
      where usesReserve && (error.code == .full || error.code == .inputOutput) && reserve.release()
    {
      do { value = try await writeToCurrent(body) } catch { throw LibraryError(error, file: url) }
    } catch {
      throw LibraryError(error, file: url)
    }
    // What was given up is set aside again as soon as there is room.
    reserve.fill()
    if !change.isEmpty { broadcast.send(change) }
    return value
  }

  /// Writes to the catalogue that is at its path, also where another one takes its place meanwhile.
  private func writeToCurrent<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws -> T {
    for _ in 1...Self.mostReplacements {
      do {
        return try await current(toWrite: true).write { connection in
          let value = try body(connection)
          guard connection.isCurrent else { throw CatalogueReplaced() }
          return value
        }
      } catch is CatalogueReplaced {
        // Nothing was written.
      }
    }
    // There are file systems that number a file anew each time.
    return try await current(toWrite: true).write(body)
  }

  /// What SQLite counts up when another process has written.
  func version() async throws(LibraryError) -> Int {
    try await read { _ in }
    return Int(dataVersion ?? 0)
  }
}

/// Says that the catalogue that was to be written to is not at its path any more.
private struct CatalogueReplaced: Error {}

extension LibraryError {
  init(_ error: any Error, file: URL) {
    let path = file.path(percentEncoded: false)
    switch error {
    case let error as LibraryError: self = error
    case let error as DatabaseError: self = LibraryError(error, path: path, file)
    case is CancellationError: self = .cancelled
    default: self = .catalogue(file: path, reason: error.plainReason)
    }
  }
}

extension LibraryError {
  private init(_ error: DatabaseError, path: String, _ file: URL) {
    self =
      switch error.code {
      case .full: .diskFull(file: path)
      case .busy, .locked:
        .busyCatalogue(file: path, by: FileLockHolder.find(for: file)?.description)
      case .corrupt, .notADatabase: .damagedCatalogue(file: path, reason: error.message)
      case .readOnly: .readOnlyHome(file: path, reason: error.message)
      default: .catalogue(file: path, reason: error.message)
      }
  }

  /// Why a catalogue can only be read, a clause: what SQLite says of a file that may not be written to
  /// is that it cannot be opened.
  fileprivate func whyReadOnly(_ file: URL) -> String {
    let path = file.path(percentEncoded: false)
    let folder = file.deletingLastPathComponent().path(percentEncoded: false)
    guard [path, folder].allSatisfy(FileManager.default.isWritableFile) else {
      return "it may not be written to, or its medium can only be read"
    }
    return clause
  }

  /// What is wrong, as a clause for a sentence that names the file.
  var clause: String {
    switch self {
    case .diskFull: "the disk is full"
    case .catalogueGone: "it was deleted or moved away while it was open"
    case .readOnlyHome(_, let reason), .catalogue(_, let reason), .unwritable(_, let reason):
      reason.withoutFullStop
    default: plainReason
    }
  }

  /// Whether a catalogue that cannot be opened for writing may still be read.
  fileprivate var leavesReading: Bool {
    switch self {
    case .diskFull, .readOnlyHome, .catalogue, .unwritable: true
    default: false
    }
  }
}
