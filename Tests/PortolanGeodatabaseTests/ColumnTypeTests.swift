import Foundation
import PortolanFeatures
import PortolanSQLite
import Testing

@testable import PortolanGeodatabase

@Suite struct ColumnTypeTests {
  @Test func `The greatest length of a database is none`() {
    let greatest = 100_000_000
    for (length, type) in [
      (1, ColumnType.text(length: 1)), (greatest, .text(length: greatest)),
      (greatest + 1, .longText), (1_073_741_822, .longText), (2_147_483_647, .longText),
    ] {
      #expect(ColumnType(of: Field("A", .string, length: length)) == type)
    }
    #expect(ColumnType(of: Field("A", .blob, length: 2_147_483_647)) == .blob(length: nil))
  }

  @Test(arguments: [
    (ColumnType.int16, AttributeValue.integer(-32_768), SQLValue.integer(-32_768)),
    (.int32, .double(7), .integer(7)),
    (.int64, .integer(.max), .integer(.max)),
    (.float64, .integer(3), .real(3)),
    (.float64, .double(.nan), .null),
    (.float32, .double(0.1), .real(Double(Float(0.1)))),
    (.text(length: 2), .text("é🌍"), .text("é🌍")),
    (
      .guid, .text("0fc1a2b3-0000-4000-8000-000000000001"),
      .text("{0fc1a2b3-0000-4000-8000-000000000001}")
    ),
    (.realDate, .date(Date(timeIntervalSince1970: 0)), .real(2_440_587.5)),
    (.blob(length: 2), .blob(Data([1, 2])), .blob(Data([1, 2]))),
    (.xml, .null, .null),
  ]) func `A value takes the storage class of its column`(
    _ type: ColumnType, _ value: AttributeValue, _ stored: SQLValue
  ) {
    #expect(type.stored(value) == stored)
  }

  @Test(arguments: [
    (ColumnType.int16, AttributeValue.integer(32_768)), (.int32, .double(0.5)),
    (.int32, .text("1")), (.float64, .text("1")), (.text(length: 2), .text("abc")),
    (.text(length: 5), .integer(1)), (.guid, .text("{1}")),
    (.blob(length: 1), .blob(Data([1, 2]))),
    (.realDate, .integer(0)), (.realDate, .date(Date(timeIntervalSince1970: -1e12))),
    (.geometry, .blob(Data())),
  ]) func `A value that a column cannot hold is refused`(
    _ type: ColumnType, _ value: AttributeValue
  ) {
    #expect(type.stored(value) == nil)
  }

  @Test func `A moment is kept to the millisecond`() {
    let date = Date(timeIntervalSince1970: 1_486_846_504.123)
    let value = ColumnType.realDate.stored(.date(date)).map(ColumnType.realDate.attribute)
    #expect(value == .date(date))
  }

  @Test func `The ends of time are what SQLite computes`() throws {
    #expect(JulianDay.endOfTime == 5_373_484.499_988_425_5)
    #expect(JulianDay.beginningOfTime == 2_440_587.500_011_574)
  }
}
