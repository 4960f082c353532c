import Foundation
import PortolanSQLite
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory) struct FileRegionTests {
  static let samples = [
    "geodatabases/usa-10.2.1.geodatabase",
    "preplanned-package/canyonlands/p13/3b1fef0d-2cb0-4b6f-b526-9fe0a1ca3f69.geodatabase",
  ]

  /// Puts `database` between bytes that are not its own.
  private func embed(_ database: Data, at offset: Int) throws -> FileRegion {
    let url = temporaryDirectory.appending(path: "a ?package#.mmpk")
    var file = Data(repeating: 0xAB, count: offset)
    file += database
    file += Data(repeating: 0xCD, count: 5_000)
    try file.write(to: url)
    return FileRegion(url: url, offset: offset, length: database.count)
  }

  private func makeDatabase(rows: Int) throws -> Data {
    let url = temporaryDirectory.appending(path: "made.sqlite")
    let connection = try Connection(at: url, access: .create)
    try connection.transaction { connection in
      try connection.execute("CREATE TABLE t (x)")
      for row in 0..<rows { try connection.execute("INSERT INTO t VALUES (?)", .real(Double(row))) }
    }
    return try Data(contentsOf: url)
  }

  /// Every value of every table that stock SQLite can read.
  private func contents(_ connection: borrowing Connection) throws -> [String: Int] {
    let tables = try connection.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    var contents: [String: Int] = [:]
    while try tables.step() {
      let name = tables.text(at: 0)
      let rows = try connection.query("SELECT * FROM \(SQLIdentifier.quoted(name))")
      var hasher = Hasher()
      while try rows.step() {
        for column in 0..<rows.columnCount { hasher.combine(rows[column]) }
      }
      contents[name] = hasher.finalize()
    }
    return contents
  }

  @Test(.needsSharedFiles, arguments: samples, [0, 1 << 30])
  func `A geodatabase inside another file reads as it does outside`(
    _ sample: String, _ mappedSize: Int
  ) throws {
    let url = SharedFiles.url("samples/\(sample)")
    let region = try embed(Data(contentsOf: url), at: 4_321)
    let inside = try contents(Connection(at: region, mappedSize: mappedSize))
    let outside = try contents(Connection(at: url, access: .immutable, mappedSize: mappedSize))
    #expect(inside == outside)
    #expect(inside.count > 20)
  }

  @Test(arguments: [0, 5_000, 1 << 30])
  func `Sorting more than fits in memory uses temporary files as usual`(_ mappedSize: Int) throws {
    let region = try embed(makeDatabase(rows: 50_000), at: 777)
    let connection = try Connection(at: region, mappedSize: mappedSize)
    try connection.execute("PRAGMA cache_size = 10")
    try connection.execute("PRAGMA temp_store = FILE")
    let query = try connection.query(
      "SELECT hex(randomblob(20)) || x AS k, x FROM t ORDER BY k")
    var sum = 0.0
    while try query.step() { sum += query.real(at: 1) }
    #expect(sum == 50_000 * 49_999 / 2)
  }

  @Test func `A region cannot be written`() throws {
    let connection = try Connection(at: embed(makeDatabase(rows: 1), at: 100))
    #expect(throws: DatabaseError.self) { try connection.execute("DELETE FROM t") }
  }

  @Test func `Many regions of one file are read at once`() async throws {
    let region = try embed(makeDatabase(rows: 100), at: 512)
    let sums = try await withThrowingTaskGroup(of: Double.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await Database(at: region, mappedSize: 1 << 20).read { connection in
            let query = try connection.query("SELECT sum(x) FROM t")
            return try query.step() ? query.real(at: 0) : 0
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sums == Array(repeating: 4_950, count: 20))
  }

  @Test(arguments: [
    (-1, 4_096), (0, -1), (0, 0), (Int.max, 1), (1, Int.max), (0, 1 << 40), (8_192, 4_096),
  ])
  func `A region that does not lie inside the file is refused`(
    _ offset: Int, _ length: Int
  ) throws {
    let url = temporaryDirectory.appending(path: "small.bin")
    try Data(count: 8_192).write(to: url)
    let error = #expect(throws: DatabaseError.self) {
      _ = try Connection(at: FileRegion(url: url, offset: offset, length: length))
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.file == url.path)
  }

  @Test func `A folder is no region`() throws {
    #expect(throws: DatabaseError.self) {
      _ = try Connection(at: FileRegion(url: temporaryDirectory, offset: 0, length: 1))
    }
  }

  @Test func `A file cut short after it was opened is an error`() throws {
    let region = try embed(makeDatabase(rows: 50_000), at: 100)
    let connection = try Connection(at: region)
    let file = try FileHandle(forWritingTo: region.url)
    try file.truncate(atOffset: 10_000)
    #expect(throws: DatabaseError.self) { try connection.execute("SELECT sum(x) FROM t") }
  }

  @Test func `Rows that were cut off after their file was opened do not read as zeros`() throws {
    let region = try embed(makeDatabase(rows: 100), at: 100)
    let connection = try Connection(at: region)
    let file = try FileHandle(forWritingTo: region.url)
    // The page goes on saying from its beginning how many rows it has, whose values are at its end.
    try file.truncate(atOffset: UInt64(region.offset + region.length - 1_000))
    let error = #expect(throws: DatabaseError.self) {
      try connection.execute("SELECT sum(x) FROM t")
    }
    #expect(error?.code == .inputOutput)
  }
}
