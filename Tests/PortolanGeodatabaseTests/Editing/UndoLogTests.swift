import Foundation
import PortolanSQLite
import Testing

@testable import PortolanGeodatabase

/// The number of groups that are kept to be undone.
@Suite struct UndoLogTests {
  /// A group that takes some memory, told by a number.
  private func group(_ number: Int64, bytes: Int = 0) -> UndoLog.Group {
    UndoLog.Group(
      images: [
        RowImage(
          key: .init(table: "huts", rowID: number), values: [.blob(Data(count: bytes))])
      ], changes: [], journalEnd: number)
  }

  private func numbers(_ log: UndoLog) -> [Int64] { log.groups.map(\.journalEnd) }

  @Test(arguments: [-1, 0, 1, 3])
  func `The latest groups are kept, as many as were asked for`(limit: Int) {
    var log = UndoLog(limit: limit)
    for number in 1...5 as ClosedRange<Int64> { log.append(group(number)) }
    #expect(numbers(log) == Array([1, 2, 3, 4, 5].suffix(max(0, limit))))
  }

  @Test func `The oldest groups go where all take much memory, and the latest stays`() {
    var log = UndoLog(limit: 100)
    for number in 1...4 as ClosedRange<Int64> { log.append(group(number, bytes: 20 << 20)) }
    #expect(numbers(log) == [2, 3, 4])
    log.append(group(5, bytes: 100 << 20))
    #expect(numbers(log) == [5])
  }

  @Test func `Discarded undo groups do not count toward the memory limit`() {
    var log = UndoLog(limit: 2)
    for number in 1...6 as ClosedRange<Int64> { log.append(group(number, bytes: 20 << 20)) }
    #expect(numbers(log) == [5, 6])
    for _ in 1...2 { log.removeLast() }
    #expect(log.groups.isEmpty)
    for number in 7...8 as ClosedRange<Int64> { log.append(group(number, bytes: 30 << 20)) }
    #expect(numbers(log) == [7, 8])
    log.settleAll()
    for number in 9...10 as ClosedRange<Int64> { log.append(group(number, bytes: 30 << 20)) }
    #expect(numbers(log) == [9, 10])
  }
}
