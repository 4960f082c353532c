internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

// A pass over the tiles of a region begins, and ends.
extension TileCacheStore {
  /// Begins to ask for all tiles of a region whether they have changed, or continues with that where it was
  /// broken off.
  ///
  /// - Parameters:
  ///   - region: The region.
  ///   - date: The time of day.
  ///   - limit: After how many seconds an update is not resumed: what was found to be unchanged
  ///     then may have changed since.
  /// - Returns: When the update began; its tiles are as of then.
  /// - Throws: ``TileCacheError`` if the cache cannot be written.
  func beginUpdate(
    of region: CachedRegion, at date: Date, goingOnWithin limit: Double
  ) async throws(TileCacheError) -> Date {
    try await patiently { connection in
      // A beginning in the future says nothing about the age.
      if let begun = try RegionBits.updateBegun(of: region.id, connection),
        (0...limit).contains(date.timeIntervalSince(begun))
      {
        return begun
      }
      try RegionBits.forgetUpdate(of: region.id, connection)
      try RegionBits.noteUpdate(of: region.id, begun: date, connection)
      return date
    }
  }

  /// Says how far a region is after a pass.
  func finishPass(
    _ pass: RegionPass, of region: CachedRegion, isWhole: Bool, because reason: String?,
    at date: Date?
  ) async throws(TileCacheError) {
    let definitions = definitions
    try await patiently { connection in
      let query = try connection.query(
        """
        SELECT \(Self.columns) FROM \(Self.rows)
        WHERE region.id = ?1
        """, .integer(region.id))
      guard try query.step(), let current = Self.region(query, definitions),
        current.created == region.created
      else { throw TileCacheError.noSuchRegion(region.name) }
      query.reset()
      if isWhole, pass == .update { try RegionBits.forgetUpdate(of: region.id, connection) }
      // An update that was broken off leaves all that was there.
      try Self.setState(
        current.progress.remaining == 0 ? .finished : .paused, of: region.id, because: reason,
        updated: date, connection)
    }
  }
}

extension RegionBits {
  /// When the update began that is under way; it takes the place of a block.
  fileprivate static func updateBegun(
    of region: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Date? {
    let query = try connection.query(
      "SELECT bits FROM region_block WHERE region = ?1 AND pass = ?2", .integer(region),
      .integer(begun.rawValue))
    guard try query.step() else { return nil }
    return Double(query.text(at: 0)).map { Date(timeIntervalSince1970: $0) }
  }

  fileprivate static func noteUpdate(
    of region: Int64, begun date: Date, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    try connection.execute(
      "INSERT OR REPLACE INTO region_block VALUES (?1, ?2, 0, 0, 0, ?3)", .integer(region),
      .integer(begun.rawValue), .text("\(date.timeIntervalSince1970)"))
  }

  /// Forgets which tiles an update has looked at.
  fileprivate static func forgetUpdate(
    of region: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    for bits in [RegionBits.checked, begun] {
      try connection.execute(
        "DELETE FROM region_block WHERE region = ?1 AND pass = ?2", .integer(region),
        .integer(bits.rawValue))
    }
  }
}
