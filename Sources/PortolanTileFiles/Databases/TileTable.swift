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
  /// The order in which tiles are listed: the parts of the address, or the rows if `nil`.
  private let order: [Int]?

  /// Finds out how addresses are stored and indexed.
  init(_ layout: TileTableLayout, in database: TileDatabase) throws(TileError) {
    var layout = layout
    let types = try database.rows(layout.addressTypes, limit: 1).first ?? []
    layout.hasTextAddresses = types.contains { $0.text == "text" }
    self.layout = layout
    self.lookUp = layout.lookUp
    self.database = database
    let indexes = try layout.hasTextAddresses ? [] : Self.indexes(of: layout, in: database)
    let levelByLevel = Array(layout.address.indices)
    if indexes.contains(levelByLevel) {
      order = levelByLevel
    } else if try database.hasRowID(layout.table) {
      order = nil
    } else {
      order = indexes.first ?? levelByLevel
    }
  }

  /// The indexes that begin with the parts of the address, as the places of these in it.
  private static func indexes(
    of layout: TileTableLayout, in database: TileDatabase
  ) throws(TileError) -> [[Int]] {
    let sql = """
      SELECT group_concat(lower(name)) FROM (
        SELECT l.seq AS number, i.name AS name
        FROM pragma_index_list(?1) AS l, pragma_index_info(l.name) AS i
        WHERE l.partial = 0 AND i.seqno < 3 ORDER BY l.seq, i.seqno)
      GROUP BY number
      """
    let address = layout.address.map { $0.lowercased() }
    let indexes = try database.rows(sql, .text(layout.table)).compactMap(\.[0].text)
    return indexes.compactMap { index in
      let places = index.split(separator: ",").compactMap { address.firstIndex(of: String($0)) }
      return Set(places).count == address.count ? places : nil
    }
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

  /// Whether there is a row at an address, and nothing in it.
  func isEmpty(level: Int, column: Int, row: Int) throws(TileError) -> Bool {
    try database.read { connection throws(DatabaseError) in
      let query = try connection.query(lookUp)
      try query.bind(level, at: 1)
      try query.bind(column, at: 2)
      try query.bind(row, at: 3)
      return try query.step() && query.blob(at: 0).isEmpty
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
    let rows = try database.rows(
      "SELECT \(layout.number(in: layout.level)), count(*) FROM \(layout.quotedTable) "
        + "WHERE \(layout.isNumber(in: layout.level)) GROUP BY 1")
    return rows.reduce(into: [:]) { counts, row in
      if let level = row[0].integer, level >= 0 { counts[level] = row[1].integer }
    }
  }

  /// How many rows have no address in a pyramid of squares: none of whole numbers, or one beyond its
  /// levels, columns or rows.
  func unaddressedCount(upToLevel deepest: Int) throws(TileError) -> Int {
    let level = layout.number(in: layout.level)
    let sides = [layout.column, layout.row].map { "\(layout.number(in: $0)) < (1 << \(level))" }
    let conditions =
      layout.address.map { layout.isNumber(in: $0) } + ["\(level) <= \(deepest)"] + sides
    let rows = try database.rows(
      "SELECT count(*) FROM \(layout.quotedTable) "
        + "WHERE NOT coalesce(\(conditions.joined(separator: " AND ")), 0)")
    return rows.first?.first?.integer ?? 0
  }

  /// The coarsest and the finest level of the tiles.
  func levels() throws(TileError) -> ClosedRange<Int>? {
    let level = layout.number(in: layout.level)
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
        if let last, !keys(of: last).lexicographicallyPrecedes(keys(of: final)) {
          throw .damaged(
            file: database.name, place: layout.table, reason: "its rows are out of order")
        }
        last = final
        return places.compactMap { address($0.level, $0.column, $0.row) }
      }
    }
  }

  /// The place of a tile, by its row in the table and by its address.
  private struct Place {
    var number: Int64
    var level: Int
    var column: Int
    var row: Int
  }

  /// The sort keys of places.
  private func keys(of place: Place) -> [Int64] {
    guard let order else { return [place.number] }
    let address = [place.level, place.column, place.row]
    return order.map { Int64(address[$0]) }
  }

  /// The next places in their order.
  private func places(after last: Place?) throws(TileError) -> [Place] {
    let sql = layout.list(order: order, isFirst: last == nil, limit: Self.batchSize)
    return try database.read { connection throws(DatabaseError) in
      let query = try connection.query(sql)
      if let last {
        for (index, key) in keys(of: last).enumerated() { try query.bind(key, at: index + 1) }
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
