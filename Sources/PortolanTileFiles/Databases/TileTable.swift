internal import Foundation
internal import PortolanSQLite
internal import PortolanTiles

/// Tiles in the rows of a table, or of two that are joined.
///
/// Rows are counted as the file does: callers flip them.
struct TileTable: Sendable {
  /// How many addresses a batch has.
  private static let batchSize = 4_096

  let database: TileDatabase
  private let layout: TileTableLayout
  /// The query that finds a tile, spelled once.
  private let lookUp: String
  /// Whether an index leads to a tile by its address.
  private let isIndexed: Bool

  /// Finds out how the table is indexed.
  init(_ layout: TileTableLayout, in database: TileDatabase) throws(TileError) {
    self.layout = layout
    self.lookUp = layout.lookUp
    self.database = database
    let columns = [layout.level, layout.column, layout.row]
    let sql = """
      SELECT group_concat(lower(name)) FROM (
        SELECT l.seq AS number, i.name AS name
        FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i
        WHERE l.partial = 0 AND i.seqno < 3 ORDER BY l.seq, i.seqno)
      GROUP BY number
      """
    let indexes = try database.rows(sql, .text(layout.table)).compactMap(\.[0].text)
    isIndexed = indexes.contains(columns.map { $0.lowercased() }.joined(separator: ","))
  }

  /// The bytes of a tile as stored, or `nil` if there are none.
  func data(level: Int, column: Int, row: Int) throws(TileError) -> Data? {
    try database.read { connection throws(DatabaseError) in
      let query = try connection.query(lookUp)
      try query.bind(level, at: 1)
      try query.bind(column, at: 2)
      try query.bind(row, at: 3)
      guard try query.step(), !query.isNull(at: 0) else { return nil }
      let data = query.blob(at: 0)
      return data.isEmpty ? nil : data
    }
  }

  /// A tile that is there, if there is any, to see what tiles are.
  func anyTile() throws(TileError) -> Data? {
    guard case .blob(let data) = try database.rows(layout.first, limit: 1).first?.first else {
      return nil
    }
    return data
  }

  /// How many tiles there are, by level.
  func counts() throws(TileError) -> [Int: Int] {
    let level = SQLIdentifier.quoted(layout.level)
    let rows = try database.rows(
      "SELECT \(level), count(*) FROM \(layout.quotedTable) WHERE typeof(\(level)) = 'integer' "
        + "GROUP BY 1")
    return rows.reduce(into: [:]) { counts, row in
      if let level = row[0].integer, level >= 0 { counts[level] = row[1].integer }
    }
  }

  /// The coarsest and the finest level of the tiles.
  func levels() throws(TileError) -> ClosedRange<Int>? {
    let level = SQLIdentifier.quoted(layout.level)
    // Two queries, each of which an index answers at once.
    let ends = try ["min", "max"].map { function throws(TileError) in
      try database.rows("SELECT \(function)(\(level)) FROM \(layout.quotedTable)")
        .first?.first?.integer
    }
    guard let low = ends[0], let high = ends[1], low >= 0, low <= high else { return nil }
    return low...high
  }

  /// The addresses of the tiles by level, column and row, which `address` turns into ours.
  func tileIDs(_ address: @escaping @Sendable (Int, Int, Int) -> TileID?) -> TileIDs {
    TileIDs {
      var last: Place?
      return { () async throws(TileError) -> [TileID]? in
        let places = try self.places(after: last)
        guard let final = places.last else { return nil }
        // A damaged index may lead in circles.
        if let last, !last.isBefore(final, byAddress: isIndexed) {
          throw .damaged(
            file: database.name, place: layout.table, reason: "its rows are out of order")
        }
        last = final
        return places.compactMap { address($0.level, $0.column, $0.row) }
      }
    }
  }

  /// Where a tile is, by its row in the table and by its address.
  private struct Place {
    var number: Int64
    var level: Int
    var column: Int
    var row: Int

    func isBefore(_ other: Place, byAddress: Bool) -> Bool {
      byAddress
        ? (level, column, row) < (other.level, other.column, other.row) : number < other.number
    }
  }

  /// The next places in the order of the index, or of the rows where there is none.
  private func places(after last: Place?) throws(TileError) -> [Place] {
    let sql = layout.list(byAddress: isIndexed, isFirst: last == nil, limit: Self.batchSize)
    return try database.read { connection throws(DatabaseError) in
      let query = try connection.query(sql)
      if let last {
        let keys =
          isIndexed
          ? [Int64(last.level), Int64(last.column), Int64(last.row)] : [last.number]
        for (index, key) in keys.enumerated() { try query.bind(key, at: index + 1) }
      }
      var places: [Place] = []
      while try query.step() {
        places.append(
          Place(
            number: query.integer(at: 0), level: Int(query.integer(at: 1)),
            column: Int(query.integer(at: 2)), row: Int(query.integer(at: 3))))
      }
      return places
    }
  }
}
