import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanSQLite

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct HostilePagesTests {
  private let url: URL
  private let whole: Data

  init() throws {
    url = temporaryDirectory.appending(path: "hostile.sqlite")
    let connection = try Connection(at: url, access: .create)
    for statement in [
      "PRAGMA page_size = 512", "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, data BLOB)",
      """
      INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 40)
      SELECT i, 'name ' || i, zeroblob(i * i) FROM n
      """,
    ] { try connection.execute(statement) }
    whole = try Data(contentsOf: url)
  }

  private func rows(_ bytes: Data) throws -> [[SQLValue]]? {
    let altered = temporaryDirectory.appending(path: "altered.sqlite")
    try bytes.write(to: altered)
    return try DatabasePages(at: altered).rows(of: "t", ["id", "name", "data"])
  }

  /// A copy with other bytes in a place.
  private func altered(_ place: Int, _ bytes: [UInt8]) -> Data {
    var copy = whole
    copy.replaceSubrange(place..<place + bytes.count, with: bytes)
    return copy
  }

  @Test func `A file cut anywhere gives rows or an error`() throws {
    for count in stride(from: 0, to: whole.count, by: 256) {
      do { _ = try rows(whole.prefix(count)) } catch is PageError {}
    }
  }

  @Test func `Any byte that is another gives rows or an error`() throws {
    let places = Array(0..<110) + stride(from: 512, to: whole.count, by: 23)
    for place in places {
      for value: UInt8 in [0, 0x80, 0xFF] {
        do { _ = try rows(altered(place, [value])) } catch is PageError {}
      }
    }
  }

  @Test func `Pages that lead in a circle end in an error`() throws {
    // The second page is the root of the table, and its rightmost child becomes itself.
    #expect(whole[512] == 5)
    #expect(throws: PageError.self) { try rows(altered(512 + 8, [0, 0, 0, 2])) }
    // Every page is its own next one: a value that lies on several pages has no end.
    for page in 3..<whole.count / 512 where whole[page * 512] == 0 {
      let number = UInt8(truncatingIfNeeded: page + 1)
      guard let rows = try? rows(altered(page * 512, [0, 0, 0, number])) else { continue }
      #expect(rows.count <= 40)
    }
  }

  @Test func `A page that says it has more cells than it holds is an error`() throws {
    #expect(throws: PageError.damaged(page: 2)) { try rows(altered(512 + 3, [0xFF, 0xFF])) }
  }

  @Test func `A file that says it has more pages than it holds is an error`() throws {
    #expect(throws: PageError.damaged(page: 1)) { try rows(altered(28, [0x7F, 0, 0, 0])) }
  }

  @Test func `A length beyond all bounds takes no memory`() throws {
    // The first leaf's first cell: its length becomes two billion.
    let leaf = try #require((2..<whole.count / 512).first { whole[$0 * 512] == 0x0D })
    let cell = Int(whole[leaf * 512 + 8]) << 8 | Int(whole[leaf * 512 + 9])
    let bytes = altered(leaf * 512 + cell, [0x87, 0xFF, 0xFF, 0xFF, 0x7F])
    #expect(throws: PageError.self) { try rows(bytes) }
  }

  @Test(arguments: [0, 16, 99])
  func `A file shorter than its header is an error`(count: Int) throws {
    #expect(throws: PageError.unreadable) { try rows(whole.prefix(count)) }
  }

  @Test func `What is no SQLite file is an error`() throws {
    #expect(throws: PageError.unreadable) { try rows(Data(repeating: 120, count: 5_000)) }
  }
}
