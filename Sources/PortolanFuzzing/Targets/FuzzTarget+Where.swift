internal import Foundation
internal import PortolanFeatureTables
internal import PortolanFeatures

extension FuzzTarget {
  /// A where clause is read, bound to fields, written as SQL and asked about a row.
  static let whereClause = FuzzTarget(
    "where", words: WhereSeeds.words, texts: WhereSeeds.clauses
  ) { data in
    let clause = try WhereClause(String(decoding: data, as: UTF8.self))
    let bound = try clause.bound(
      to: WhereSeeds.fields, of: "Wells", now: Date(timeIntervalSince1970: 1_700_000_000))
    for condition in [bound.sql(JulianDayDialect()), bound.sql(ISO8601Dialect(), table: "w")] {
      let places = condition.sql.count { $0 == "?" }
      try FuzzFinding.check(
        places >= condition.values.count, "is SQL of \(places) places for more values")
    }
    _ = bound.matches(WhereSeeds.row)
  }
}
