internal import Foundation
internal import PortolanFiles
internal import PortolanSQLite

extension TileCacheStore {
  /// Deletes a region with the tiles that no other region keeps, and gives their room back.
  ///
  /// It can be killed at any moment: what is left is a region that says that it is being deleted, and
  /// calling this again ends it. On a full disk it needs no more room than was set aside for that.
  ///
  /// - Returns: What was freed.
  /// - Throws: ``TileCacheError/noSuchRegion(_:)``, ``TileCacheError/regionInUse(_:)``.
  public func deleteRegion(named name: String) async throws(TileCacheError) -> DeletedRegion {
    let found = try await self.region(named: name)
    let lock = try lock(found)
    defer { lock.release() }
    let region = try await current(found)
    let before = fileSize
    try await makingRoom { connection in
      try Self.setState(.deleting, of: region.id, connection)
    }
    var deleted = DeletedRegion()
    var most = Int.max
    // What several tiles of this region have goes with the last of them.
    var sharable: Set<Int64> = []
    while let part = try await deleteTiles(of: region, most: &most) {
      deleted.tileCount += part.tileCount
      deleted.byteCount += part.byteCount
      sharable.formUnion(part.sharable)
    }
    deleted.sharedByteCount = try await keptBytes(of: sharable)
    try await makingRoom { connection in
      for table in ["region_block", "region_failure"] {
        try connection.execute("DELETE FROM \(table) WHERE region = ?1", .integer(region.id))
      }
      try connection.execute("DELETE FROM region WHERE id = ?1", .integer(region.id))
    }
    try giveBack()
    deleted.fileByteCount = max(0, before - fileSize)
    return deleted
  }

  /// The fewest tiles that are deleted in one transaction.
  private static let fewestTiles = 16

  /// Some tiles that were deleted.
  private struct DeletedTiles {
    var tileCount = 0
    var byteCount = 0
    /// The contents that other tiles have too, which may be of other regions.
    var sharable: Set<Int64> = []
  }

  /// The bytes of those contents that regions keep.
  private func keptBytes(of contents: Set<Int64>) async throws(TileCacheError) -> Int {
    guard !contents.isEmpty else { return 0 }
    return try await read { connection in
      var count = 0
      for content in contents {
        let query = try connection.query(
          "SELECT size FROM content WHERE id = ?1 AND pinned > 0", .integer(content))
        if try query.step() { count += Int(query.integer(at: 0)) }
      }
      return count
    }
  }

  /// Deletes tiles; fewer from then on, if the disk has no room for the log of so many.
  ///
  /// - Returns: `nil` if there is no block left.
  private func deleteTiles(
    of region: CachedRegion, most: inout Int
  ) async throws(TileCacheError) -> DeletedTiles? {
    while true {
      do { return try await deleteTiles(of: region, upTo: most) } catch {
        guard isFull(error), most > Self.fewestTiles else { throw error }
        most = min(most, TileBlock.side * TileBlock.side) / 4
      }
    }
  }

  /// Deletes the tiles of one block with their bits, or so many of them, in one transaction.
  private func deleteTiles(
    of region: CachedRegion, upTo most: Int
  ) async throws(TileCacheError) -> DeletedTiles? {
    try await makingRoom { connection in
      let source = try Self.source(of: region, connection)
      let first = try RegionBits.places(of: region.id, .kept, after: nil, limit: 1, connection)
      guard let block = first.first else { return nil }
      let blank = try RegionBits.load(block, .blank, of: region.id, connection)
      let bytes = try Self.bytes(connection)
      var deleted = DeletedTiles()
      var (rest, left) = (block.subtracting(blank), most)
      for (row, stretch) in rest.stretches where left > 0 {
        let columns = stretch.prefix(left)
        let shared = try Self.shared(
          row: row, columns: columns, level: block.level, of: source, connection)
        deleted.sharable.formUnion(shared.contents)
        deleted.tileCount += columns.count - shared.count
        try TileRecords.unpin(
          row: row, columns: columns, level: block.level, of: source, connection)
        rest.remove(row: row, columns: columns)
        left -= columns.count
      }
      // What is blank has no tiles, and goes with the last of those that are none.
      try RegionBits.save(rest, .kept, of: region.id, connection)
      if rest.isEmpty { try RegionBits.save(rest, .blank, of: region.id, connection) }
      deleted.byteCount = bytes - (try Self.bytes(connection))
      return deleted
    }
  }

  /// The contents that other tiles of regions have too, and the number of tiles that other regions keep.
  private static func shared(
    row: Int, columns: Range<Int>, level: Int, of source: CachedSourceID,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> (contents: Set<Int64>, count: Int) {
    let query = try connection.query(
      """
      SELECT c.id, pins > 1 FROM tile LEFT JOIN content AS c ON c.id = tile.content
      WHERE source = ?1 AND z = ?2 AND y = ?3 AND x >= ?4 AND x < ?5 AND (pins > 1 OR c.pinned > 1)
      """, .integer(source.number), .integer(Int64(level)), .integer(Int64(row)),
      .integer(Int64(columns.lowerBound)), .integer(Int64(columns.upperBound)))
    var (contents, count): (Set<Int64>, Int) = ([], 0)
    while try query.step() {
      if !query.isNull(at: 0) { contents.insert(query.integer(at: 0)) }
      count += Int(query.integer(at: 1))
    }
    return (contents, count)
  }

  /// The source of a region.
  static func source(
    of region: CachedRegion, _ connection: borrowing Connection
  ) throws(DatabaseError) -> CachedSourceID {
    let query = try connection.query(
      "SELECT source FROM region WHERE id = ?1", .integer(region.id))
    return CachedSourceID(number: try query.step() ? query.integer(at: 0) : 0)
  }
}
