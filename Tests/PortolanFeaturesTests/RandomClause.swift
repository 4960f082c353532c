import Foundation
import PortolanFeatures

/// Random clauses about ``WhereFixture``, and rows to ask about, the same for the same seed.
struct RandomClause: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  // MARK: Rows

  static let texts = [
    "", "a", "A", "ab", "Ab", "aB%", "a_b", "é", "É", "e\u{301}", "*", "a?[x]", "ß", " a ", "12",
    "-3.5", "2017-02-11", "{5B966567-FB87-4DDE-938B-B4B37423539D}", "日本", "😀a",
  ]

  mutating func rows(_ count: Int) -> [[AttributeValue]] {
    (1...count).map { id in
      var row: [AttributeValue] = [.integer(Int64(id))]
      row.append(maybe(.text(pick(Self.texts))))
      row.append(maybe(.integer(pick([0, 1, -1, 7, 12, 66_215, Int64(Int32.max)]))))
      row.append(maybe(.double(pick([0, 0.5, -2.5, 7, 1e15, 1e-7, 12.345]))))
      let seconds = pick([0.0, 0.001, -1, 1_486_846_504, 1_486_846_504.5, 1_592_179_200])
      row.append(maybe(.date(Date(timeIntervalSince1970: seconds))))
      row.append(maybe(.integer(pick([-7, 0, 3]))))
      row.append(maybe(.text(pick(["{5B966567-FB87-4DDE-938B-B4B37423539D}", "{x}"]))))
      row.append(maybe(.blob(Data([1, 2]))))
      row.append(maybe(.text(pick(["2017-02-11", "2020-06-15"]))))
      row.append(maybe(.text(pick(Self.texts))))
      return row
    }
  }

  private mutating func maybe(_ value: AttributeValue) -> AttributeValue {
    chance(20) ? .null : value
  }

  // MARK: Clauses

  mutating func condition(_ depth: Int = 4) -> String {
    guard depth > 0, chance(60) else { return predicate(2) }
    switch Int.random(in: 0..<4, using: &self) {
    case 0: return "NOT \(bracketed(depth))"
    case 1: return "\(bracketed(depth)) AND \(bracketed(depth)) AND \(bracketed(depth))"
    default: return "\(bracketed(depth)) OR \(bracketed(depth))"
    }
  }

  private mutating func bracketed(_ depth: Int) -> String { "(\(condition(depth - 1)))" }

  private mutating func predicate(_ depth: Int) -> String {
    let kinds: [(inout RandomClause) -> String] = [
      { $0.number(depth) }, { $0.text(depth) }, { $0.date(depth) }, { $0.guid() },
    ]
    let value = pick(kinds)
    let not = chance(30) ? "NOT " : ""
    switch Int.random(in: 0..<7, using: &self) {
    case 0: return "\(value(&self)) IS \(not)NULL"
    case 1: return "\(value(&self)) \(not)BETWEEN \(value(&self)) AND \(value(&self))"
    case 2: return "\(value(&self)) \(not)IN (\(value(&self)), \(value(&self)), \(value(&self)))"
    case 3: return "\(text(depth)) \(not)LIKE \(pattern())"
    default:
      return "\(value(&self)) \(pick(["=", "<>", "<", "<=", ">", ">="])) \(value(&self))"
    }
  }

  private mutating func pattern() -> String {
    let pieces = ["%", "_", "a", "A", "b", "%a", "*", "?", "[", "]", "é", "!%", "!_", "!!", ""]
    let pattern = (0..<Int.random(in: 0..<4, using: &self)).map { _ in pick(pieces) }.joined()
    return "'\(pattern)' ESCAPE '!'"
  }

  private mutating func number(_ depth: Int) -> String {
    guard depth > 0, chance(60) else {
      return pick([
        "POP", "AREA", "CODE", "OBJECTID", "0", "1", "-7", "2.5", ".5", "1e3", "66215", "NULL",
        "9223372036854775807",
      ])
    }
    let inner = depth - 1
    switch Int.random(in: 0..<10, using: &self) {
    case 8 where inner > 0: return cases { $0.number(0) }
    case 0: return "(\(number(inner)) \(pick(["+", "-", "*", "/"])) \(number(inner)))"
    case 1: return "-\(number(0)) + \(number(inner)) - \(number(0)) * \(number(inner))"
    case 2: return "\(pick(["ABS", "FLOOR", "CEILING", "ROUND"]))(\(number(inner)))"
    case 3: return "ROUND(\(number(inner)), \(pick(["0", "1", "2", "-1"])))"
    case 4: return "MOD(\(number(inner)), \(number(0)))"
    case 5: return "CHAR_LENGTH(\(text(inner)))"
    case 6: return "POSITION(\(text(0)) IN \(text(inner)))"
    case 7:
      let part = pick(["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"])
      return "EXTRACT(\(part) FROM \(date(inner)))"
    default:
      return "CAST(\(chance(50) ? text(inner) : number(inner)) AS \(pick(["INT", "DOUBLE"])))"
    }
  }

  private mutating func cases(_ value: (inout RandomClause) -> String) -> String {
    let otherwise = chance(50) ? " ELSE \(value(&self))" : ""
    guard chance(50) else {
      return "CASE \(number(0)) WHEN \(number(0)) THEN \(value(&self))\(otherwise) END"
    }
    // Nothing deep, so that what stands around it stays within the levels that a clause may have.
    let conditions = ["POP > 1", "NAME IS NULL", "AREA < CODE", "NAME LIKE 'a%'", "SEEN IS NULL"]
    let first = "WHEN \(pick(conditions)) THEN \(value(&self))"
    return "CASE \(first) WHEN \(pick(conditions)) THEN \(value(&self))\(otherwise) END"
  }

  private mutating func text(_ depth: Int) -> String {
    guard depth > 0, chance(60) else {
      let literal = "'\(pick(Self.texts))'"
      return pick(["NAME", "\"DATE\"", "NAME", literal, literal, "NULL"])
    }
    let inner = depth - 1
    switch Int.random(in: 0..<7, using: &self) {
    case 5 where inner > 0: return cases { $0.text(0) }
    case 0: return "\(pick(["UPPER", "LOWER", "TRIM"]))(\(text(inner)))"
    case 1: return "(\(text(inner)) || \(text(inner)))"
    case 2: return "SUBSTRING(\(text(inner)), \(pick(["0", "1", "2", "-2", "CODE", "POP"])), 2)"
    case 3: return "TRIM(\(pick(["LEADING", "TRAILING", "BOTH"])) 'a' FROM \(text(inner)))"
    case 4: return "COALESCE(\(text(inner)), \(text(0)))"
    default: return "CAST(\(chance(50) ? text(inner) : number(inner)) AS VARCHAR(20))"
    }
  }

  private mutating func date(_ depth: Int) -> String {
    guard depth > 0, chance(60) else {
      return pick([
        "SEEN", "DATE '2017-02-11'", "TIMESTAMP '2017-02-11 20:55:04'", "CURRENT_DATE",
        "CURRENT_TIMESTAMP", "SEEN",
      ])
    }
    let inner = depth - 1
    switch Int.random(in: 0..<4, using: &self) {
    case 0: return "(\(date(inner)) \(pick(["+", "-"])) \(pick(["1", "0.25", "CODE"])))"
    case 1: return "(\(date(inner)) - INTERVAL '1.5' \(pick(["DAY", "HOUR", "SECOND"])))"
    case 2: return "CAST(\(date(inner)) AS DATE)"
    default: return "NULLIF(\(date(inner)), \(date(0)))"
    }
  }

  private mutating func guid() -> String {
    pick(["GID", "GID", "'5b966567-fb87-4dde-938b-b4b37423539d'", "'{X}'", "NULL"])
  }
}
