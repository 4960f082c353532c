import Foundation
import Testing

@testable import PortolanFiles

/// The holder of a lock, among all that the system lists.
@Suite struct FileLockTableTests {
  private static let own = getpid()
  private static let other: Int32 = own + 1
  private static let file = FileIdentity(device: 0xfe01, number: 131)

  private func holder(_ lines: String..., of locks: FileLockHolder.Locks = .all) -> Int32? {
    FileLockTable(lines.joined(separator: "\n"), locks).processID(holding: Self.file)
  }

  private func line(
    _ process: Int32, kind: String = "FLOCK ", device: String = "fe:01", number: Int = 131
  ) -> String { "1: \(kind) ADVISORY  WRITE \(process) \(device):\(number) 0 EOF" }

  @Test func `Another process is named before this one, whichever comes first`() {
    #expect(holder(line(Self.own), line(Self.other)) == Self.other)
    #expect(holder(line(Self.other), line(Self.own)) == Self.other)
    #expect(holder(line(Self.own)) == Self.own)
  }

  @Test func `A waiter for a lock does not hold it`() {
    let waiting = "1: -> FLOCK  ADVISORY  WRITE \(Self.other) fe:01:131 0 EOF"
    #expect(holder(waiting) == nil)
    #expect(holder(line(Self.own), waiting) == Self.own)
  }

  @Test func `A lock on another file is none on this one`() {
    #expect(holder(line(Self.other, number: 132)) == nil)
    #expect(
      holder(line(Self.other, device: "fe:02"), line(Self.own)) == Self.own)
  }

  @Test func `Every digit of large device numbers counts`() {
    let table = FileLockTable(
      [
        line(Self.own, device: "1103:12345"), line(Self.other, device: "103:12345"),
      ].joined(separator: "\n"))
    func holder(_ device: UInt64) -> Int32? {
      table.processID(holding: FileIdentity(device: device, number: 131))
    }
    #expect(holder(0x1000_1231_0345) == Self.own)
    #expect(holder(0x1231_0345) == Self.other)
    #expect(holder(0x1231_0344) == nil)
  }

  @Test func `The number of the file decides where the disk has another number here`() {
    #expect(holder(line(Self.other, device: "00:2b")) == Self.other)
    // Files of two disks have that number: nobody knows which is meant.
    #expect(holder(line(Self.other, device: "00:2b"), line(Self.own, device: "00:2c")) == nil)
  }

  @Test func `For a database only the locks of SQLite count`() {
    #expect(holder(line(Self.other), of: .database) == nil)
    #expect(holder(line(Self.other), line(Self.own, kind: "POSIX "), of: .database) == Self.own)
  }

  @Test(arguments: ["", "1: FLOCK", "1: FLOCK ADVISORY WRITE -1 fe:01:131 0 EOF", "x y z"])
  func `Lock table lines without information name no holder`(line: String) {
    #expect(holder(line) == nil)
  }
}
