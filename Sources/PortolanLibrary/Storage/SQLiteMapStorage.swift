public import Foundation
internal import PortolanFiles
internal import PortolanSQLite

/// The storage in `library.sqlite` of the home folder.
///
/// Records are kept as JSON beside the columns that queries need, so that a record may grow
/// without a migration; one that cannot be read is left out of lists and reported by
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
  /// Whether it stands in for a catalogue that is not there.
  private let isStandIn: Bool
  private let clock: any Clock<Duration>
  /// How often another catalogue may take the place of the one that is written to.
  private static let mostReplacements = 3
  /// How often a catalogue is looked for that a repair is about to put in its place.
  private static let looks = 100
  private static let pause = Duration.milliseconds(20)

  /// Opens the catalogue, or creates an empty one.
  ///
  /// Where it cannot be written, as in a home on a read-only medium or a full disk, it is opened to be
  /// read; ``readOnlyReason`` says why.
  ///
  /// - Parameters:
  ///   - url: The file; its folder is there.
  ///   - clock: Measures the pauses while a repair replaces the file.
  /// - Returns: The storage.
  /// - Throws: ``LibraryError/newerCatalogue(file:version:)``,
  ///   ``LibraryError/damagedCatalogue(file:reason:)``, ``LibraryError/busyCatalogue(file:by:)``,
  ///   ``LibraryError/catalogue(file:reason:)``.
  public static func open(
    at url: URL, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(LibraryError) -> SQLiteMapStorage {
    let reserve = HomeLayout(home: url.deletingLastPathComponent()).reserve
    do throws(LibraryError) { return try await openForWriting(url, reserve, clock) } catch {
      guard error.leavesReading else { throw error }
      // What keeps it from being written is known already, and reported by `readOnlyReason`.
      if reserve.release(), let storage = try? await openForWriting(url, reserve, clock) {
        return storage
      }
      return try await openForReading(url, clock, because: error)
    }
  }

  private static func openForWriting(
    _ url: URL, _ reserve: DiskReserve, _ clock: any Clock<Duration>
  ) async throws(LibraryError) -> SQLiteMapStorage {
    do {
      try StorageSchema.prepare(url)
      let database = try Database(at: url, access: .readWrite)
      try await StorageSchema.migrate(database, file: url)
      reserve.fill()
      return SQLiteMapStorage(
        url: url, database: database, schema: StorageSchema.currentVersion, reserve: reserve,
        clock: clock)
    } catch {
      throw LibraryError(error, file: url)
    }
  }

  /// Opens a catalogue that cannot be written.
  private static func openForReading(
    _ url: URL, _ clock: any Clock<Duration>, because reason: LibraryError
  ) async throws(LibraryError) -> SQLiteMapStorage {
    do {
      let database = try Database(at: url, access: .readOnly)
      let version = try await database.read { Int(try $0.userVersion()) }
      guard (1...StorageSchema.currentVersion).contains(version) else { throw reason }
      return SQLiteMapStorage(
        url: url, database: database, schema: version,
        reserve: HomeLayout(home: url.deletingLastPathComponent()).reserve, clock: clock,
        readOnlyReason: reason.whyReadOnly(url))
    } catch {
      throw reason
    }
  }

  /// An empty catalogue that can only be read, for a home in which there is none and none can be made.
  ///
  /// - Parameters:
  ///   - url: Where it would be.
  ///   - reason: Why none can be made.
  /// - Returns: The storage.
  /// - Throws: ``LibraryError/catalogue(file:reason:)`` if there is no memory for it.
  public static func makeStandIn(
    at url: URL, because reason: LibraryError
  ) async throws(LibraryError) -> SQLiteMapStorage {
    do {
      let database = try Database.inMemory()
      try await StorageSchema.migrate(database, file: url)
      return SQLiteMapStorage(
        url: url, database: database, schema: StorageSchema.currentVersion,
        reserve: HomeLayout(home: url.deletingLastPathComponent()).reserve,
        clock: ContinuousClock(), readOnlyReason: reason.whyReadOnly(url), isStandIn: true)
    } catch {
      throw LibraryError(error, file: url)
    }
  }

  private init(
    url: URL, database: Database, schema: Int, reserve: DiskReserve, clock: any Clock<Duration>,
    readOnlyReason: String? = nil, isStandIn: Bool = false
  ) {
    self.isStandIn = isStandIn
    self.url = url
    self.database = database
    self.schema = schema
    self.reserve = reserve
    self.clock = clock
    self.readOnlyReason = readOnlyReason
  }

  public func changes() -> AsyncStream<MapStorageChange> {
    broadcast.listen { key in Task { await self.stopListening(key) } }
  }

  private func stopListening(_ key: UUID) { broadcast.remove(key) }

  // MARK: - Access

  /// Opens the catalogue that a repair, or another process, has put in place of one: no later
  /// start would find what is written to that.
  ///
  /// - Parameter used: The one that is no longer at the path.
  /// - Returns: Whether there is one at the path, which is used from now on.
  /// - Throws: ``LibraryError`` or `DatabaseError` if that one cannot be opened.
  private func reopen(insteadOf used: Database) async throws -> Bool {
    guard database === used else { return true }
    guard FileStatus(url) != nil else { return false }
    try StorageSchema.prepare(url)
    let fresh = try Database(at: url, access: .readWrite)
    try await StorageSchema.migrate(fresh, file: url)
    // Another call may have done the same meanwhile.
    guard database === used else { return true }
    database = fresh
    dataVersion = nil
    broadcast.send(.all)
    return true
  }

  /// Whether something failed since the catalogue that was used is no longer at its path.
  private func isReplaced(_ used: Database, after error: any Error) async throws -> Bool {
    guard error is DatabaseError else { return error is CatalogueReplaced }
    return try await used.read { !$0.isCurrent }
  }

  /// Waits, between the two moves of a repair, for the catalogue that it has made.
  ///
  /// - Throws: ``LibraryError/catalogueGone(file:)`` if there is none and none will be,
  ///   ``LibraryError/damagedCatalogue(file:reason:)`` if the repair does not come to its end.
  private func awaitCatalogue() async throws {
    let path = url.path(percentEncoded: false)
    let rebuilt = HomeLayout(home: url.deletingLastPathComponent()).rebuiltCatalogue
    for _ in 1...Self.looks {
      // In this order: the one that was made takes the place in one step.
      let isOnItsWay = DurableMove.exists(rebuilt)
      guard !DurableMove.exists(url) else { return }
      guard isOnItsWay else { throw LibraryError.catalogueGone(file: path) }
      try await clock.sleep(for: Self.pause)
    }
    throw LibraryError.damagedCatalogue(file: path, reason: CatalogueDamage.interruptedRepair)
  }

  public func requireCatalogue() async throws(LibraryError) {
    // There was none.
    guard !isStandIn else { return }
    // One that has taken its place is used from now on.
    try await read { _ in }
    do { try await awaitCatalogue() } catch { throw LibraryError(error, file: url) }
  }

  /// Reads, and notifies listeners if another process has written.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(LibraryError) -> T {
    do {
      let (value, version) = try await readFromCurrent { connection in
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

  /// Reads the catalogue that is at its path; where there is none, what is in the one that was opened can
  /// still be read.
  private func readFromCurrent<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws -> T {
    let used = database
    guard readOnlyReason == nil else { return try await used.read(body) }
    do {
      return try await used.read { connection in
        guard connection.isCurrent else { throw CatalogueReplaced() }
        return try body(connection)
      }
    } catch {
      guard try await isReplaced(used, after: error) else { throw error }
      _ = try await reopen(insteadOf: used)
      return try await database.read(body)
    }
  }

  /// Writes in one transaction that is on the disk when this returns, and notifies listeners.
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
    // What was released is reserved again as soon as there is space.
    reserve.fill()
    if !change.isEmpty { broadcast.send(change) }
    return value
  }

  /// Writes to the catalogue that is at its path, also where another one takes its place meanwhile.
  private func writeToCurrent<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws -> T {
    for _ in 1...Self.mostReplacements {
      let used = database
      do {
        return try await used.write { connection in
          guard connection.isCurrent else { throw CatalogueReplaced() }
          let value = try body(connection)
          guard connection.isCurrent else { throw CatalogueReplaced() }
          return value
        }
      } catch {
        guard try await isReplaced(used, after: error) else { throw error }
        // Nothing was written.
        try await awaitCatalogue()
        _ = try await reopen(insteadOf: used)
      }
    }
    // There are file systems that give a file a new number each time.
    return try await database.write(body)
  }

  /// What SQLite counts up when another process has written.
  func version() async throws(LibraryError) -> Int {
    try await read { _ in }
    return Int(dataVersion ?? 0)
  }
}

/// Signals that the catalogue to be written is no longer at its path.
private struct CatalogueReplaced: Error {}
