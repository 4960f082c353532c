internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

// How tiles are removed, and room is given back, also on a disk that has none left.
extension TileCacheStore {
  /// The most pages that are moved in one go.
  private static let mostPages = 4_096
  private static let fewestPages = 8

  /// The room that tiles of regions leave on the disk: what is in the log must find its place, and what
  /// makes room be recorded.
  static let leftBytes = 1 << 20
  /// A log this short is not worth emptying.
  private static let shortLog = 256 << 10

  /// Looks, before tiles are written, whether the disk has room for them.
  ///
  /// Where little is left, the log is emptied first: it takes several times the room of the tiles in
  /// it.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes of the tiles.
  ///   - left: The room that they leave.
  /// - Throws: ``TileCacheError/diskFull(file:)``.
  nonisolated func prepare(
    forBytes byteCount: Int, leaving left: Int = leftBytes
  ) throws(TileCacheError) {
    // An unknown amount of free space does not prevent writing.
    guard let free = FreeSpace.byteCount(at: folder) else { return }
    let needed = 2 * byteCount + left
    // A log that cannot be inspected is not emptied.
    let logSize = (try? FileStatus(at: log))?.byteCount ?? 0
    guard free < needed + 4 * logSize else { return }
    if logSize > Self.shortLog {
      // Others may be reading; then a part of it is emptied.
      try? emptyLog(try Connection(at: url, access: .readWrite, patience: .zero))
    }
    guard FreeSpace.byteCount(at: folder) ?? .max >= needed else {
      throw .diskFull(file: url.path(percentEncoded: false))
    }
  }

  /// Sees to it, at the end of a transaction that adds tiles, that the log can be emptied whatever others write
  /// to the disk: on a full one nothing could be removed otherwise.
  ///
  /// - Throws: ``TileCacheError/diskFull(file:)``.
  nonisolated func reserveRoomForLog(_ connection: borrowing Connection) throws {
    // A file that cannot be lengthened in advance, on a disk that has room, is written all the same.
    guard try !connection.reserveFile(), FreeSpace.byteCount(at: folder) ?? .max < Self.leftBytes
    else { return }
    throw TileCacheError.diskFull(file: url.path(percentEncoded: false))
  }

  /// Writes what makes room; on a full disk in the space that was set aside for that, which is used again
  /// whenever what was written is in its place.
  func makingRoom<T: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> T
  ) async throws(TileCacheError) -> T {
    for _ in 0..<2 {
      do { return try await write(body) } catch {
        guard isFull(error), gainRoom() else { throw error }
      }
    }
    return try await write(body)
  }

  /// Whether something failed since there is no room; SQLite calls that a failure of the disk in places.
  func isFull(_ error: TileCacheError) -> Bool {
    switch error {
    case .diskFull: true
    case .storage: !TileCacheFile(url: url).hasRoom
    default: false
    }
  }

  /// Gives up the space that was set aside, or that of the log.
  ///
  /// - Returns: Whether there is more room than before.
  private func gainRoom() -> Bool {
    if TileCacheFile(url: url).reserve.release() { return true }
    let before = FreeSpace.byteCount(at: folder) ?? 0
    // A log that others still read stays as it is.
    try? emptyLog(try Connection(at: url, access: .readWrite))
    return FreeSpace.byteCount(at: folder) ?? 0 > before
  }

  nonisolated private func emptyLog(_ connection: borrowing Connection) throws(DatabaseError) {
    let query = try connection.query("PRAGMA wal_checkpoint(TRUNCATE)")
    while try query.step() {}
  }

  /// Moves from the log what can be moved without waiting for anyone.
  private func shortenLog(_ connection: borrowing Connection) throws(DatabaseError) {
    let query = try connection.query("PRAGMA wal_checkpoint(PASSIVE)")
    while try query.step() {}
  }

  /// Gives pages of the file that are free back to the disk.
  func giveBack() throws(TileCacheError) {
    do throws(DatabaseError) {
      try giveBackInPieces(try Connection(at: url, access: .readWrite))
    } catch  where error.code == .busy || error.code == .locked {
      // Others use the file now; the pages are used again, or given back next time.
    } catch {
      throw TileCacheError(error, file: url)
    }
    TileCacheFile(url: url).reserve.fill()
  }

  /// Gives pages back in pieces, between which others can write; on a full disk a few at first, and more
  /// with each time, since each makes room for the next.
  private func giveBackInPieces(_ connection: borrowing Connection) throws(DatabaseError) {
    var pages = Self.mostPages
    var free = try freePages(connection)
    while free > 0 {
      do throws(DatabaseError) {
        try vacuum(connection, pages: pages)
      } catch {
        guard error.code == .full, pages > Self.fewestPages else { throw error }
        _ = gainRoom()
        pages = Self.fewestPages
        continue
      }
      let rest = try freePages(connection)
      guard rest < free else { break }
      free = rest
      pages = min(pages * 2, Self.mostPages)
    }
    try emptyLog(connection)
  }

  private func vacuum(
    _ connection: borrowing Connection, pages: Int
  ) throws(DatabaseError) {
    let query = try connection.query("PRAGMA incremental_vacuum(\(pages))")
    while try query.step() {}
    try shortenLog(connection)
  }

  private func freePages(_ connection: borrowing Connection) throws(DatabaseError) -> Int64 {
    let query = try connection.query("PRAGMA freelist_count")
    return try query.step() ? query.integer(at: 0) : 0
  }
}
