import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

/// The space that is set aside for a full disk.
@Suite(.temporaryDirectory, .needsMounting) struct DiskReserveTests {
  /// How many bytes of a disk are free.
  private func free(_ folder: URL) throws -> Int {
    try #require(FreeSpace.byteCount(at: folder))
  }

  @Test func `What is set aside leaves room to others, and is given back`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let reserve = DiskReserve(at: disk.url.appending(path: "reserve"))
    let others = try free(disk.url) - 200 << 10
    try Data(count: others).write(to: disk.url.appending(path: "others"))
    let before = try free(disk.url)
    reserve.fill()
    #expect((80 << 10...128 << 10).contains(try free(disk.url)))
    #expect(reserve.release())
    #expect(try free(disk.url) == before)
    #expect(!reserve.release())
  }

  @Test func `Where little is free nothing is set aside`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let others = try free(disk.url) - 100 << 10
    try Data(count: others).write(to: disk.url.appending(path: "others"))
    let reserve = DiskReserve(at: disk.url.appending(path: "reserve"))
    reserve.fill()
    #expect(!reserve.release())
  }
}
