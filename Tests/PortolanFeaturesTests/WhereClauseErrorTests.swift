import Foundation
import PortolanFeatures
import Testing

@Suite struct WhereClauseErrorTests {
  static let malformed: [(String, Int, String)] = [
    ("NAME = ", 7, "a value is missing before the end"),
    ("NAME = 'abc", 7, "the text that begins here has no end"),
    ("\"NAME = 'abc'", 0, "the name that begins here has no end"),
    ("NAME", 0, "a condition is expected here, such as NAME = 'Portland'"),
    ("1", 0, "a condition is expected here, such as NAME = 'Portland'"),
    ("NAME 'abc'", 5, "the text 'abc' is not expected here"),
    ("POP = 1 AND", 11, "a value is missing before the end"),
    ("POP = 1 OR OR POP = 2", 11, "a value is missing before \"OR\""),
    ("(POP = 1", 8, "\")\" is missing before the end"),
    ("POP = 1)", 7, "\")\" is not expected here"),
    ("POP IN ()", 8, "a value is missing before \")\""),
    ("POP IN (1 2)", 10, "\")\" is missing before this number"),
    ("POP BETWEEN 1 OR 2", 14, "AND is missing before \"OR\""),
    ("POP NOT 5", 8, "IN, LIKE or BETWEEN is missing after NOT"),
    ("POP IS 5", 7, "NULL is missing before this number"),
    ("1 < POP < 5", 8, "comparisons cannot follow each other; join them with AND"),
    ("POP ; DROP TABLE x", 4, "\";\" has no meaning here"),
    ("POP = 1 --", 10, "a value is missing before the end"),
    ("POP == 1", 5, "a value is missing before \"=\""),
    ("POP = 12abc", 6, "\"12abc\" is no number"),
    ("POP = 1e", 6, "\"1e\" is no number"),
    ("POP = ?", 6, "\"?\" has no meaning here"),
    ("POP > 'many'", 6, "'many' is no number"),
    ("SEEN > 'soon'", 7, "'soon' is no date; write DATE '2020-01-31'"),
    ("SEEN > DATE '7/11/2020'", 7, "\"7/11/2020\" is no date; write DATE '2020-01-31'"),
    ("SEEN > 5", 5, "a date cannot be compared with a number"),
    ("NAME = 5", 5, "text cannot be compared with a number"),
    ("NAME = POP", 5, "text cannot be compared with a number"),
    ("POP IN (1, NAME)", 4, "text cannot be compared with a number"),
    ("PHOTO = 'x'", 6, "bytes cannot be compared, only be asked for with IS NULL"),
    ("POP LIKE '5%'", 4, "LIKE is for text, not for a number; use CAST(… AS VARCHAR)"),
    ("NAME LIKE DATE", 10, "the pattern of LIKE is no constant text"),
    ("NAME LIKE 'x!' ESCAPE '!'", 10, "the pattern of LIKE ends with the escape character"),
    ("NAME LIKE 'x' ESCAPE 'ab'", 21, "the text after ESCAPE is not one character"),
    ("NAME + 1 = 2", 5, "\"+\" does not join text and a number"),
    ("SEEN * 2 = 2", 5, "\"*\" does not join a date and a number"),
    ("-NAME = 2", 0, "\"-\" does not go before text"),
    ("UPPER(POP) = 'X'", 6, "UPPER takes text, not a number"),
    ("ABS('x') = 1", 4, "'x' is no number"),
    ("UPPER() = 'X'", 0, "UPPER does not take 0 values"),
    ("UPPER(NAME, NAME) = 'X'", 0, "UPPER does not take 2 values"),
    ("MOD(POP) = 1", 0, "MOD does not take 1 value"),
    (
      "EXTRACT(WEEK FROM SEEN) = 1", 8,
      "\"WEEK\" is no part of a date; there are YEAR, MONTH, DAY, HOUR, MINUTE, SECOND"
    ),
    ("CAST(SEEN AS INTEGER) = 1", 0, "a date cannot be cast to INTEGER"),
    (
      "SEEN > CURRENT_DATE - INTERVAL '1' WEEK", 35,
      "DAY, HOUR, MINUTE or SECOND is missing before \"WEEK\""
    ),
    ("SEEN > CURRENT_DATE - INTERVAL 'x' DAY", 38, "\"x\" is no number of units"),
    ("UPPER(POP = 1) = 'x'", 10, "\")\" is missing before \"=\""),
    ("(POP = 1) = (POP = 2)", 5, "a value is expected here, not a condition"),
    ("CASE POP THEN 1 END = 1", 9, "WHEN is missing before \"THEN\""),
    ("CASE WHEN POP = 1 THEN 1 = 1", 25, "END is missing before \"=\""),
    ("CASE WHEN POP THEN 1 END = 1", 10, "a condition is expected here, such as NAME = 'Portland'"),
    ("CASE WHEN POP = 1 THEN 1 ELSE NAME END = 1", 0, "a number cannot be compared with text"),
    (
      "CASE COALESCE(CASE WHEN 1=1 THEN 1 END, 2) WHEN 1 THEN 1 END = 1", 14,
      "CASE cannot stand between another CASE and its WHEN"
    ),
    ("COALESCE(POP) = 1", 0, "COALESCE needs at least two values"),
  ]

  @Test(arguments: malformed) func `A bad clause is refused, with the place and the reason`(
    clause: String, offset: Int, reason: String
  ) {
    #expect(throws: FeatureStoreError.badWhereClause(reason: reason, offset: offset)) {
      try WhereFixture.finds(clause)
    }
  }

  @Test(arguments: ["NAMES = 'x'", "POP = 1 OR UPPER(TOWNS.NAMES) = ''", "[NAMES] IS NULL"])
  func `An unknown field is named`(_ clause: String) throws {
    let error = #expect(throws: FeatureStoreError.self) { try WhereFixture.finds(clause) }
    guard case .noSuchField(let name, "TOWNS") = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(name.hasSuffix("NAMES"))
  }

  @Test func `An unknown function is named beside those that exist`() throws {
    let error = #expect(throws: FeatureStoreError.self) { try WhereClause("SOUNDEX(NAME) = 'x'") }
    guard case .badWhereClause(let reason, 0) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("there is no function \"SOUNDEX\"; there are ABS, "))
  }

  @Test func `A pattern that is too long is refused for its length, not called damaged`() throws {
    let pattern = String(repeating: "x", count: 10_001)
    let error = #expect(throws: FeatureStoreError.self) {
      try WhereFixture.finds("NAME LIKE '\(pattern)'")
    }
    guard case .badWhereClause(let reason, 10)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("10000"))
  }

  static let hostile: [String] = [
    String(repeating: "(", count: 20_000), String(repeating: "NOT ", count: 20_000),
    String(repeating: "-", count: 20_000), String(repeating: "ABS(", count: 20_000),
    "NAME = " + String(repeating: "UPPER(", count: 20) + "NAME" + String(repeating: ")", count: 20),
    String(repeating: "CAST(", count: 10_000), "POP = 1" + String(repeating: "+1", count: 10_000),
    "POP IN (1" + String(repeating: ",1", count: 31_000) + ")",
    String(repeating: "[", count: 20_000), String(repeating: "x", count: 1_100_000),
    "NAME LIKE '" + String(repeating: "%a", count: 6000) + "'",
    String(repeating: "\"a\".", count: 20_000),
  ]

  @Test(arguments: hostile.indices) func `A hostile clause is refused`(_ index: Int) {
    #expect(throws: FeatureStoreError.self) { try WhereFixture.finds(Self.hostile[index]) }
  }

  @Test func `Every prefix of every good clause is read or refused`() {
    for clause in WhereClauseTests.found {
      for count in 0...clause.count {
        // Only what the parser makes of it matters: it must not crash.
        _ = try? WhereFixture.finds(String(clause.prefix(count)))
        _ = try? WhereFixture.finds(String(clause.suffix(count)))
      }
    }
  }

  @Test func `Deep brackets and long rows are fine where they mean little`() throws {
    let brackets =
      String(repeating: "(", count: 80) + "POP = 66215" + String(repeating: ")", count: 80)
    #expect(try WhereFixture.finds(brackets))
    let row = (1...2000).map { "OBJECTID = \($0 * 7 + 4)" }.joined(separator: " OR ")
    #expect(try WhereFixture.finds(row + " OR OBJECTID = 1"))
  }

  @Test func `A pattern with many wildcards is tried in reasonable time`() throws {
    var row = WhereFixture.portland
    row[1] = .text(String(repeating: "a", count: 5000))
    let pattern = String(repeating: "%a", count: 100) + "%b"
    #expect(try !WhereFixture.finds("NAME LIKE '\(pattern)'", row))
  }
}
