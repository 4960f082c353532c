internal import Foundation
internal import PortolanFeatures

/// Where clauses, and a row to evaluate them on.
enum WhereSeeds {
  static let fields = FieldList([
    Field("OBJECTID", .objectID), Field("NAME", .string), Field("DEPTH", .double),
    Field("KIND", .integer), Field("DRILLED", .date), Field("PHOTO", .blob),
    Field("GUID", .guid),
  ])

  static let row = Attributes(
    fields,
    [
      .integer(7), .text("Ol' %_ wéll"), .double(3.5), .integer(2),
      .date(Date(timeIntervalSince1970: 1_600_000_000)), .null,
      .text("{0FC1A2B3-0000-4000-8000-000000000001}"),
    ])

  static let clauses = [
    "1=1", "DEPTH > 3 AND (KIND IN (1, 2, 3) OR NAME LIKE 'A\\_%' ESCAPE '\\')",
    "DRILLED BETWEEN DATE '2020-01-01' AND timestamp '2021-12-31 23:59:59'",
    "NOT UPPER(\"NAME\") = N'X' OR NAME IS NOT NULL", "DEPTH * 2 - KIND / 3 + -1.5e3 <> 0",
    "DRILLED > CURRENT_DATE - INTERVAL '3' DAY", "CAST(KIND AS VARCHAR(20)) || NAME <> 'a''b'",
    "EXTRACT(YEAR FROM DRILLED) >= 2020 AND CHAR_LENGTH(NAME) < 9",
    "OBJECTID NOT IN (1,2) AND NAME NOT LIKE '%x%' AND KIND NOT BETWEEN 3 AND 4",
  ]

  static let words = [
    "AND ", "OR ", "NOT ", "(", ")", "((((((((", "'", "''", "\"", " IN (", " LIKE '", "%", "_",
    " ESCAPE ", " IS NULL", " BETWEEN ", "DATE '", "TIMESTAMP '", "CURRENT_TIMESTAMP", "INTERVAL '",
    "CAST(", " AS ", "EXTRACT(", "SUBSTRING(", "POSITION(", "ROUND(", "MOD(", "CASE WHEN ", "NULL",
    "- ", "--", "/*", ";", "NAME", "DEPTH", "DRILLED", "PHOTO", "||", "<>", "!=", ">=",
    "9999999999999999999", "1e400", "\0", "é",
  ]
}
