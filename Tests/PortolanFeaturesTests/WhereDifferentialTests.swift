import Foundation
import PortolanFeatureTables
import PortolanFeatures
import PortolanSQLite
import Testing

@Suite struct WhereDifferentialTests {
  @Test(arguments: 1...6)
  func `SQLite and memory find the same rows`(seed: UInt64) throws {
    var random = RandomClause(seed: seed)
    let table = try WhereTable(random.rows(16))
    var counts = (found: 0, notFound: 0)
    for _ in 0..<300 {
      let text = random.condition()
      let clause = try WhereClause(text)
        .bound(to: WhereFixture.list, of: "TOWNS", now: WhereFixture.now)
      let sql = clause.sql(JulianDayDialect())
      let found = try table.find(sql)
      let expected = table.rows.filter { clause.matches(Attributes(WhereFixture.list, $0)) }
      #expect(found == Set(expected.compactMap { $0[0].integer }), "\(text)\n\(sql)")
      counts.found += found.count
      counts.notFound += table.rows.count - found.count
    }
    // Clauses that always or never hold would prove nothing.
    #expect(counts.found > 500 && counts.notFound > 500, "\(counts)")
  }

  @Test(arguments: WhereClauseTests.found) func `SQLite finds Portland too`(
    _ clause: String
  ) throws {
    let table = try WhereTable([WhereFixture.portland])
    let sql = try WhereClause(clause)
      .bound(to: WhereFixture.list, of: "TOWNS", now: WhereFixture.now).sql(JulianDayDialect())
    #expect(try table.find(sql) == [1], "\(sql)")
  }

  /// The parts of the deepest trees that are allowed, around a value of the right kind.
  static let nestings: [(opening: String, inner: String, closing: String, tail: String)] = [
    ("UPPER(", "NAME", ")", " = 'X'"), ("SUBSTRING('abc', 1, ", "POP", ")", ""),
    ("(1 + ", "POP", ")", " = 1"), ("MOD(1, ", "POP", ")", " = 1"),
    ("COALESCE(1, ", "POP", ")", " = 1"), ("('a' || ", "NAME", ")", " = 'x'"),
    ("NOT (", "POP = 1", ")", ""), ("(POP = 1 OR ", "POP = 2", ")", ""),
    ("(POP = 1 AND NOT ", "SEEN IS NULL", ")", ""), ("- ", "POP", "", " = 1"),
    ("(SEEN - ", "1", ")", " > 1"), ("ABS(1 + 1 * ", "POP", ")", " = 1"),
    ("(SEEN > CURRENT_DATE AND ", "POP IN (1, 2, POP + MOD(POP, ABS(CODE)))", ")", ""),
  ]

  @Test(arguments: nestings.indices)
  func `SQLite takes every tree that the parser does`(_ index: Int) throws {
    let table = try WhereTable([WhereFixture.portland])
    let nesting = Self.nestings[index]
    for depth in 1...20 {
      let text =
        String(repeating: nesting.opening, count: depth) + nesting.inner
        + String(repeating: nesting.closing, count: depth) + nesting.tail
      do {
        let clause = try WhereClause(text)
          .bound(to: WhereFixture.list, of: "TOWNS", now: WhereFixture.now)
        _ = try table.find(clause.sql(JulianDayDialect()))
      } catch is FeatureStoreError {
        continue
      }
    }
  }

  @Test(arguments: ["a", "[", "?", "🗺"], [1_001, 10_000])
  func `A long pattern finds the same in SQLite and in memory`(
    _ letter: String, _ count: Int
  ) throws {
    var (fitting, other) = (WhereFixture.portland, WhereFixture.nothing)
    let text = String(repeating: letter, count: count)
    (fitting[1], other[0], other[1]) = (.text(text), .integer(2), .text(text.dropLast() + "b"))
    let table = try WhereTable([fitting, other])
    for pattern in [text, text.dropLast() + "_", "%" + text.dropFirst()] {
      let clause = try WhereClause("NAME LIKE '\(pattern)'")
        .bound(to: WhereFixture.list, of: "TOWNS", now: WhereFixture.now)
      let expected = table.rows.filter { clause.matches(Attributes(WhereFixture.list, $0)) }
      #expect(
        try table.find(clause.sql(JulianDayDialect()))
          == Set(expected.compactMap { $0[0].integer }))
      #expect(expected.isEmpty == false)
    }
  }

  @Test func `SQLite takes long rows`() throws {
    let table = try WhereTable([WhereFixture.portland])
    let rows = [
      (1...2000).map { "OBJECTID = \($0)" }.joined(separator: " OR "),
      (1...2000).map { "OBJECTID <> \($0 + 1)" }.joined(separator: " AND "),
      "NOT (" + (1...1000).map { "OBJECTID = \($0 + 1)" }.joined(separator: " OR ") + ")",
      "OBJECTID IN (" + (1...5000).map(String.init).joined(separator: ",") + ")",
      "POP" + String(repeating: " + 1 - 1", count: 50) + " = 66215",
    ]
    for row in rows {
      let clause = try WhereClause(row)
        .bound(to: WhereFixture.list, of: "TOWNS", now: WhereFixture.now)
      #expect(try table.find(clause.sql(JulianDayDialect())) == [1])
    }
  }

  @Test func `Nothing of a clause is read as SQL`() throws {
    let fields = [Field("a\"; DROP TABLE x; --", .string), Field("b", .date)]
    let clause = try WhereClause("[a\"; DROP TABLE x; --] = '''; DROP' AND b > DATE '2020-01-01'")
    let schema = FeatureTableSchema(name: "t", fields: fields)
    let sql = try clause.bound(to: schema, now: WhereFixture.now)
      .sql(ISO8601Dialect(), table: "x\"y")
    #expect(
      sql.sql
        == #"(("x""y"."a""; DROP TABLE x; --"=?) AND "#
        + #"(CAST(round((julianday("x""y"."b")-2440587.5)*86400000.0)AS INTEGER)>?))"#)
    #expect(sql.values == [.text("'; DROP"), .integer(1_577_836_800_000)])
  }
}

extension AttributeValue {
  fileprivate var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }
}
