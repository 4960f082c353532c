internal import PortolanSQLite
internal import PortolanTiles

/// The figures of the regions that keep a tile, which have to follow when it is replaced elsewhere:
/// another region, or a person who looks at the map.
struct RegionFigures {
  private let tile: TileID
  private let source: CachedSourceID
  private let own: Int64?

  /// Looks after the figures of all regions but `own`, which counts for itself.
  init(_ tile: TileID, of source: CachedSourceID, except own: Int64? = nil) {
    self.tile = tile
    self.source = source
    self.own = own
  }

  /// Replaces the tile, inside a transaction of the caller.
  func change(
    _ connection: borrowing Connection, _ replace: (borrowing Connection) throws -> Void
  ) throws {
    let before = try TileRecords.keptSize(of: tile, of: source, connection)
    try replace(connection)
    guard let before else { return }
    guard let after = try TileRecords.keptSize(of: tile, of: source, connection), after != before
    else { return }
    for region in try keepers(connection) { try add(before, after, to: region, connection) }
  }

  private func keepers(_ connection: borrowing Connection) throws(DatabaseError) -> [Int64] {
    let place = TileBlock(around: tile)
    let query = try connection.query(
      """
      SELECT region.id FROM region JOIN region_block ON region_block.region = region.id
      WHERE region.source = ?1 AND pass = ?2 AND z = ?3 AND y = ?4 AND x = ?5
      """, .integer(source.number), .integer(RegionBits.kept.rawValue),
      .integer(Int64(place.level)), .integer(Int64(place.row)), .integer(Int64(place.column)))
    var regions: [Int64] = []
    while try query.step() { regions.append(query.integer(at: 0)) }
    var keepers: [Int64] = []
    for region in regions where region != own {
      let kept = try RegionBits.load(place, .kept, of: region, connection)
      let blank = try RegionBits.load(place, .blank, of: region, connection)
      if kept.contains(tile), !blank.contains(tile) { keepers.append(region) }
    }
    return keepers
  }

  private func add(
    _ before: TileRecords.KeptSize, _ after: TileRecords.KeptSize, to region: Int64,
    _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let (old, new) = (Self.figures(before), Self.figures(after))
    try connection.execute(
      "UPDATE region SET stored = stored + ?2, absent = absent + ?3, bytes = bytes + ?4 WHERE id = ?1",
      .integer(region), .integer(Int64(new.stored - old.stored)),
      .integer(Int64(new.absent - old.absent)), .integer(Int64(new.bytes - old.bytes)))
  }

  private static func figures(
    _ size: TileRecords.KeptSize
  ) -> (stored: Int, absent: Int, bytes: Int) {
    switch size {
    case .absent: (0, 1, 0)
    case .bytes(let count): (1, 0, count)
    }
  }
}
