import Foundation
import PortolanFeatures
import Testing

@Suite struct WhereClauseTests {
  static let found = [
    "", "   \n", "1=1", "1 = 1 AND 2<>3", "NAME = 'Portland'", "name='Portland'",
    "\"NAME\" = 'Portland'", "[NAME] = 'Portland'", "TOWNS.NAME = N'Portland'",
    "main.\"TOWNS\".NAME = 'Portland' OR 1=1", "\"main\".\"TOWNS\".\"NAME\" = 'Portland'",
    "NAME <> 'portland'", "NAME != 'portland'", "UPPER(NAME) = 'PORTLAND'",
    "LOWER(NAME) LIKE 'port%'", "NAME LIKE '%ort_and'", "NAME LIKE 'P%d'",
    "NAME NOT LIKE 'port%'", "NAME LIKE 'Port!land' ESCAPE '!'", "UPPER(NAME) LIKE UPPER('%tl%')",
    "NAME IN ('Bangor', 'Portland')", "NAME NOT IN ('Bangor')", "POP IN (1, 66215.0)",
    "POP BETWEEN 66215 AND 66215", "POP NOT BETWEEN 1 AND 2", "POP > 1e4", "POP >= '66215'",
    "AREA = 179.75", "AREA > 179 AND AREA < 180", "-CODE = 7", "CODE = -7", "CODE = - - -7",
    "POP / 1000 = 66", "POP / 1000.0 = 66.215", "POP / 0 IS NULL", "POP - 66000 - 200 = 15",
    "2 + 3 * 4 = 14", "(2 + 3) * 4 = 20", "NAME || ', ' || 'Maine' = 'Portland, Maine'",
    "CONCAT(NAME, POP) = 'Portland66215'", "NOT POP = 1", "NOT (POP = 1 OR POP = 2)",
    "POP = 1 OR POP = 66215 AND CODE = -7", "PHOTO IS NOT NULL", "NAME IS NOT NULL",
    "SEEN = TIMESTAMP '2017-02-11 20:55:04'", "SEEN > DATE '2017-02-11'", "SEEN < '2017-02-12'",
    "SEEN < CURRENT_DATE", "SEEN BETWEEN DATE '2017-01-01' AND DATE '2017-12-31'",
    "CURRENT_TIMESTAMP = TIMESTAMP '2020-06-15 12:34:56.789'",
    "CURRENT_DATE = DATE '2020-06-15'", "CURRENT_DATE - 1 = DATE '2020-06-14'",
    "1 + CURRENT_DATE = DATE '2020-06-16'", "CURRENT_DATE - SEEN > 1219",
    "SEEN + INTERVAL '90' MINUTE = TIMESTAMP '2017-02-11 22:25:04'",
    "SEEN - INTERVAL '1' DAY < DATE '2017-02-11'", "SEEN + 0.5 = '2017-02-12 08:55:04'",
    "CAST(SEEN AS DATE) = DATE '2017-02-11'", "EXTRACT(YEAR FROM SEEN) = 2017",
    "EXTRACT(MONTH FROM SEEN) = 2 AND EXTRACT(DAY FROM SEEN) = 11",
    "EXTRACT(HOUR FROM SEEN) * 60 + EXTRACT(MINUTE FROM SEEN) = 1255",
    "EXTRACT(SECOND FROM SEEN) = 4", "EXTRACT(YEAR FROM '2019-01-01') = 2019",
    "GID = '{5b966567-fb87-4dde-938b-b4b37423539d}'",
    "GID = '5B966567-fb87-4DDE-938B-B4B37423539D'",
    "GID IN ('x', '5b966567-fb87-4dde-938b-b4b37423539d')", "GID > '{5'",
    "\"Opening Day\" = DATE '2020-02-29'", "\"Opening Day\" < '2020-03'",
    "DATE = 'a''b'", "date LIKE 'a''%'",
    "CHAR_LENGTH(NAME) = 8", "CHARACTER_LENGTH(NAME) = 8", "SUBSTRING(NAME, 1, 4) = 'Port'",
    "SUBSTRING(NAME FROM 5) = 'land'", "SUBSTRING(NAME FROM 5 FOR 2) = 'la'",
    "SUBSTRING(NAME, -4) = 'land'", "SUBSTRING(NAME, 0, 3) = 'Po'", "SUBSTRING(NAME, 99) = ''",
    "POSITION('land' IN NAME) = 5", "POSITION('x' IN NAME) = 0", "TRIM('  a ') = 'a'",
    "TRIM(LEADING 'P' FROM NAME) = 'ortland'", "TRIM(TRAILING FROM 'a ') = 'a'",
    "TRIM(BOTH 'd' FROM NAME) = 'Portlan'", "ABS(CODE) = 7", "ROUND(AREA) = 180",
    "ROUND(AREA, 1) = 179.8", "ROUND(POP, -3) = 66000", "FLOOR(AREA) = 179", "CEILING(AREA) = 180",
    "MOD(POP, 10) = 5", "MOD(CODE, 4) = -3", "CAST('12' AS INTEGER) = 12",
    "CAST(AREA AS INT) = 179", "CAST(POP AS VARCHAR(10)) = '66215'",
    "CAST(POP AS DOUBLE PRECISION) / 2 = 33107.5", "CAST(CODE AS DECIMAL(10, 2)) = -7",
    "CAST('2020-01-31' AS DATE) = DATE '2020-01-31'", "COALESCE(NULL, NAME) = 'Portland'",
    "COALESCE(NULLIF(POP, 66215), 3) = 3", "NULLIF(POP, 1) = 66215", "POP = 66215.0",
    "NULL IS NULL", "POP NOT BETWEEN NULL AND 5",
    "CASE WHEN POP > 50000 THEN 'city' ELSE 'town' END = 'city'",
    "CASE WHEN POP IS NULL THEN 1 WHEN NAME LIKE 'Port%' THEN 2 END = 2",
    "CASE NAME WHEN 'Bath' THEN 1 WHEN 'Portland' THEN 2 ELSE 3 END = 2",
    "CASE POP WHEN 1 THEN 1 END IS NULL", "case when NAME = NULL then 1 else 2 end IN (2)",
    "SEEN > CASE WHEN POP > 1 THEN DATE '2000-01-01' ELSE NULL END",
    "UPPER(CASE (POP) WHEN 66215 THEN NAME END) = 'PORTLAND'",
  ]

  @Test(arguments: found) func `The clause finds Portland`(_ clause: String) throws {
    #expect(try WhereFixture.finds(clause))
  }

  static let notFound = [
    "1=2", "NAME = 'portland'", "NAME LIKE 'port%'", "NAME LIKE '_ortlan'", "NAME LIKE ''",
    "NAME = NULL", "NAME <> NULL", "NOT (NAME = NULL)", "POP NOT IN (1, NULL)",
    "NAME IS NULL", "POP / 0 = 1", "NOT (POP / 0 = 1)", "POP = 66215.5", "CODE = 7",
    "SEEN = DATE '2017-02-11'", "CAST('abc' AS INTEGER) = 0",
    "POP BETWEEN NULL AND 5", "CAST(NAME AS DATE) IS NOT NULL",
  ]

  @Test(arguments: notFound) func `The clause does not find Portland`(_ clause: String) throws {
    #expect(try !WhereFixture.finds(clause))
  }

  static let missing = [
    "NAME = 'Portland'", "NAME <> 'Portland'", "NOT NAME = 'x'", "POP IN (1)", "POP NOT IN (1)",
    "NAME LIKE '%'", "NAME NOT LIKE '%'", "UPPER(NAME) = ''", "POP + 1 > 0",
    "POP BETWEEN 1 AND 2", "NAME || 'x' = 'x'", "GID = ''", "SEEN < CURRENT_DATE",
    "POP = 1 AND NAME IS NULL", "NAME = ''",
  ]

  @Test(arguments: missing) func `A condition on a missing value is never true`(
    _ clause: String
  ) throws {
    #expect(try !WhereFixture.finds(clause, WhereFixture.nothing))
  }

  @Test(arguments: [
    "NAME IS NULL", "NOT NAME IS NOT NULL", "POP = 1 OR NAME IS NULL", "COALESCE(POP, 0) = 0",
    "NOT (POP = 1 AND 1 = 2)",
  ])
  func `Missing values can be asked for`(_ clause: String) throws {
    #expect(try WhereFixture.finds(clause, WhereFixture.nothing))
  }

  @Test func `Case is folded in every script`() throws {
    var row = WhereFixture.portland
    row[1] = .text("Zürich Straße Ωmega")
    #expect(try WhereFixture.finds("UPPER(NAME) LIKE 'ZÜRICH STRASSE ΩMEGA'", row))
    #expect(try WhereFixture.finds("CHAR_LENGTH(NAME) = 19", row))
    #expect(try WhereFixture.finds("POSITION('Ω' IN NAME) = 15", row))
  }

  @Test func `Attributes of fewer fields are looked up by name`() throws {
    let clause = try WhereClause("POP > 5 OR NAME IS NULL")
      .bound(to: WhereFixture.schema, now: WhereFixture.now)
    #expect(clause.matches(Attributes(FieldList([Field("pop", .integer)]), [.integer(6)])))
    #expect(clause.matches(Attributes(FieldList([]))))
    #expect(!clause.matches(Attributes(FieldList([Field("NAME", .string)]), [.text("")])))
  }
}
