internal import Foundation
internal import PortolanSQLite

/// The states of a region's tiles, in blocks of bits.
enum RegionBits: Int64 {
  /// Tiles that are done.
  case kept = 0
  /// Tiles that the update that is under way has looked at.
  case checked = 1
  /// Tiles that are done by being left out, since they are blank.
  case blank = 2
  /// No tiles: when the update began that is under way.
  case begun = 3

  /// The bits of a block; none where nothing is written.
  static func load(
    _ place: TileBlock, _ bits: RegionBits, of region: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) -> TileBlock {
    let query = try connection.query(
      """
      SELECT bits FROM region_block
      WHERE region = ?1 AND pass = ?2 AND z = ?3 AND y = ?4 AND x = ?5
      """, .integer(region), .integer(bits.rawValue), .integer(Int64(place.level)),
      .integer(Int64(place.row)), .integer(Int64(place.column)))
    let data = try query.step() ? query.blob(at: 0) : Data()
    return TileBlock(level: place.level, row: place.row, column: place.column, bits: data)
  }

  /// Writes the bits of a block; nothing where none is set.
  static func save(
    _ block: TileBlock, _ bits: RegionBits, of region: Int64, _ connection: borrowing Connection
  ) throws(DatabaseError) {
    let place: [SQLValue] = [
      .integer(region), .integer(bits.rawValue), .integer(Int64(block.level)),
      .integer(Int64(block.row)), .integer(Int64(block.column)),
    ]
    let query = try connection.query(
      block.isEmpty
        ? "DELETE FROM region_block WHERE region = ?1 AND pass = ?2 AND z = ?3 AND y = ?4 AND x = ?5"
        : "INSERT OR REPLACE INTO region_block VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    for (index, value) in place.enumerated() { try query.bind(value, at: index + 1) }
    if !block.isEmpty { try query.bind(block.data, at: 6) }
    while try query.step() {}
  }

  /// How many tiles of a region have their bit set, by level.
  static func counts(
    of region: Int64, _ bits: RegionBits, _ connection: borrowing Connection
  ) throws(DatabaseError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    var last: TileBlock?
    while true {
      let blocks = try places(of: region, bits, after: last, limit: 64, connection)
      guard let end = blocks.last else { return counts }
      for block in blocks { counts[block.level, default: 0] += block.count }
      last = end
    }
  }

  /// The places of the blocks of a region, a batch after `last` at a time.
  static func places(
    of region: Int64, _ bits: RegionBits, after last: TileBlock?, limit: Int,
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> [TileBlock] {
    let query = try connection.query(
      """
      SELECT z, y, x, bits FROM region_block WHERE region = ?1 AND pass = ?2
        AND (z, y, x) > (?3, ?4, ?5) ORDER BY z, y, x LIMIT ?6
      """, .integer(region), .integer(bits.rawValue), .integer(Int64(last?.level ?? -1)),
      .integer(Int64(last?.row ?? 0)), .integer(Int64(last?.column ?? 0)), .integer(Int64(limit)))
    var blocks: [TileBlock] = []
    while try query.step() {
      blocks.append(
        TileBlock(
          level: Int(query.integer(at: 0)), row: Int(query.integer(at: 1)),
          column: Int(query.integer(at: 2)), bits: query.blob(at: 3)))
    }
    return blocks
  }
}
