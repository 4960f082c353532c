import Foundation
import PortolanFeatureContracts
import PortolanGeometry
import PortolanSQLite
import Testing

@testable import PortolanGeodatabase

@Suite struct SpatialIndexPackingTests {
  @Test(arguments: [0, 1, 2, 50, 51, 52, 102, 103, 2_601, 2_602, 7_000])
  func `A packed index is sound and answers like one filled row by row`(_ count: Int) throws {
    let connection = try Connection.inMemory()
    var numbers = SplitMix64(seed: UInt64(count))
    let boxes = (0..<count).map { ($0 * 3 + 1, numbers.box(extent: 1_000, size: 30)) }
    try fill(connection, packed: boxes, inserted: boxes)
    #expect(try text("SELECT rtreecheck('packed')", connection) == "ok")
    for _ in 0..<60 {
      let box = numbers.box(extent: 1_000, size: 200)
      #expect(try rows("packed", in: box, connection) == rows("inserted", in: box, connection))
    }
  }

  @Test(arguments: [10, 99, 100, 101, 2_700], [true, false])
  func `An index that was sorted on the disk has the nodes of one that was sorted in memory`(
    _ limit: Int, _ isAscending: Bool
  ) throws {
    let connection = try Connection.inMemory()
    var numbers = SplitMix64(seed: UInt64(limit))
    // Whole numbers, so that many lie at one place.
    let boxes = (0..<2_700).map { number in
      let box = numbers.box(extent: 12, size: 2)
      let id = isAscending ? number + 1 : (number * 7) % 2_700 + 1
      return (
        id,
        Envelope(
          xMin: box.xMin.rounded(), yMin: box.yMin.rounded(), xMax: box.xMax.rounded(),
          yMax: box.yMax.rounded())
      )
    }
    let folder = FileManager.default.temporaryDirectory
    for (name, limit) in [("packed", boxes.count + 1), ("sorted", limit)] {
      var packing = SpatialIndexPacking(limit: limit)
      for (id, box) in boxes {
        packing.append(rowID: Int64(id), box: box)
        try packing.spill(to: folder)
      }
      try connection.makeSpatialIndex(named: name, key: "pkid", of: packing)
    }
    #expect(try text("SELECT rtreecheck('sorted')", connection) == "ok")
    for (table, key) in [("node", "nodeno"), ("rowid", "rowid"), ("parent", "nodeno")] {
      let difference = """
        SELECT count(*) FROM (SELECT \(key), * FROM packed_\(table) EXCEPT
          SELECT \(key), * FROM sorted_\(table))
        """
      #expect(try text(difference, connection) == "0")
      let counts = "SELECT (SELECT count(*) FROM packed_\(table)) - count(*) FROM sorted_\(table)"
      #expect(try text(counts, connection) == "0")
    }
  }

  @Test(arguments: [1.0, 1e-3, 1e7, 1e20])
  func `Boxes are rounded outwards to the same bits as SQLite's`(_ scale: Double) throws {
    let connection = try Connection.inMemory()
    var numbers = SplitMix64(seed: 7)
    let boxes = (0..<200).map { ($0 + 1, numbers.box(extent: scale, size: scale)) }
    try fill(connection, packed: boxes, inserted: boxes)
    let difference = """
      SELECT count(*) FROM (SELECT * FROM packed EXCEPT SELECT * FROM inserted)
      """
    #expect(try text(difference, connection) == "0")
  }

  @Test func `Rows may come in any order, and boxes may be equal`() throws {
    let connection = try Connection.inMemory()
    let box = Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 4)
    let boxes = (0..<300).map { ((($0 * 7) % 300) + 1, box) }
    try fill(connection, packed: boxes, inserted: boxes)
    #expect(try text("SELECT rtreecheck('packed')", connection) == "ok")
    #expect(try rows("packed", in: box, connection) == Array(1...300))
  }

  @Test func `A packed index can be changed by SQLite`() throws {
    let connection = try Connection.inMemory()
    var numbers = SplitMix64(seed: 3)
    let boxes = (0..<1_000).map { ($0 + 1, numbers.box(extent: 100, size: 5)) }
    try fill(connection, packed: boxes, inserted: boxes)
    for table in ["packed", "inserted"] {
      try connection.execute("DELETE FROM \(table) WHERE pkid % 3 = 0")
      try connection.execute("INSERT INTO \(table) VALUES (5000, 1, 2, 1, 2), (5001, 9, 9, 9, 9)")
    }
    #expect(try text("SELECT rtreecheck('packed')", connection) == "ok")
    let all = Envelope(xMin: -1e3, yMin: -1e3, xMax: 1e3, yMax: 1e3)
    #expect(try rows("packed", in: all, connection) == rows("inserted", in: all, connection))
  }

  @Test func `The curve visits every cell once, and neighbours one after the other`() {
    let cells = (0..<16).flatMap { x in (0..<16).map { (UInt32(x), UInt32($0)) } }
    let shift: UInt32 = 12
    let visited = cells.sorted {
      HilbertCurve.position(column: $0.0 << shift, row: $0.1 << shift)
        < HilbertCurve.position(column: $1.0 << shift, row: $1.1 << shift)
    }
    for (one, next) in zip(visited, visited.dropFirst()) {
      #expect(abs(Int(one.0) - Int(next.0)) + abs(Int(one.1) - Int(next.1)) == 1)
    }
  }

  // MARK: -

  private func fill(
    _ connection: borrowing Connection, packed: [(Int, Envelope)], inserted: [(Int, Envelope)]
  ) throws {
    var packing = SpatialIndexPacking()
    for (id, box) in packed { packing.append(rowID: Int64(id), box: box) }
    try connection.makeSpatialIndex(named: "packed", key: "pkid", of: packing)
    try connection.execute(
      "CREATE VIRTUAL TABLE inserted USING RTREE (pkid,minx,maxx,miny,maxy)")
    for (id, box) in inserted {
      try connection.execute(
        "INSERT INTO inserted VALUES (?1, ?2, ?3, ?4, ?5)", .integer(Int64(id)),
        .real(box.xMin), .real(box.xMax), .real(box.yMin), .real(box.yMax))
    }
  }

  private func rows(
    _ table: String, in box: Envelope, _ connection: borrowing Connection
  ) throws -> [Int] {
    let query = try connection.query(
      """
      SELECT pkid FROM \(table)
      WHERE minx <= ?1 AND maxx >= ?2 AND miny <= ?3 AND maxy >= ?4 ORDER BY pkid
      """, .real(box.xMax), .real(box.xMin), .real(box.yMax), .real(box.yMin))
    var rows: [Int] = []
    while try query.step() { rows.append(Int(query.integer(at: 0))) }
    return rows
  }

  private func text(_ sql: String, _ connection: borrowing Connection) throws -> String {
    let query = try connection.query(sql)
    return try query.step() ? query.text(at: 0) : ""
  }
}

extension SplitMix64 {
  /// A box that begins within `extent` of the origin and is at most `size` long.
  mutating func box(extent: Double, size: Double) -> Envelope {
    let x = Double.random(in: -extent...extent, using: &self)
    let y = Double.random(in: -extent...extent, using: &self)
    return Envelope(
      xMin: x, yMin: y, xMax: x + .random(in: 0...size, using: &self),
      yMax: y + .random(in: 0...size, using: &self))
  }
}
