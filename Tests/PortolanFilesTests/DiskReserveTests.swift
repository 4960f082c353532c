import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

/// The space that is set aside for a full disk.
@Suite(.temporaryDirectory, .needsMounting) struct DiskReserveTests {
  /// The free space of a disk, in bytes.
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

  @Test func `A part that was set aside becomes the whole once there is room`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let place = disk.url.appending(path: "reserve")
    let reserve = DiskReserve(at: place)
    let filling = disk.url.appending(path: "others")
    try Data(count: free(disk.url) - 200 << 10).write(to: filling)
    reserve.fill()
    let part = try #require(try FileStatus(at: place)).byteCount
    try FileManager.default.removeItem(at: filling)
    reserve.fill()
    let whole = try #require(try FileStatus(at: place)).byteCount
    #expect(part < whole && whole == 256 << 10)
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test func `Where little is free nothing is set aside`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let others = try free(disk.url) - 100 << 10
    try Data(count: others).write(to: disk.url.appending(path: "others"))
    let reserve = DiskReserve(at: disk.url.appending(path: "reserve"))
    reserve.fill()
    #expect(!reserve.release())
  }

  @Test func `What is set aside stays as it is while nothing has changed`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let place = disk.url.appending(path: "reserve")
    let reserve = DiskReserve(at: place)
    let filling = disk.url.appending(path: "others")
    for spare in [200 << 10, 600 << 10] {
      try Data(count: free(disk.url) - spare).write(to: filling)
      let before = try free(disk.url)
      reserve.fill()
      let bytes = try Data(contentsOf: place)
      reserve.fill()
      #expect(try Data(contentsOf: place) == bytes)
      #expect(bytes.count == min(256 << 10, before - 96 << 10))
      try FileManager.default.removeItem(at: filling)
      #expect(reserve.release())
    }
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test(arguments: [(120, false), (136, true)])
  func `What is worth setting aside begins at some kilobytes`(
    _ spare: Int, _ isWorth: Bool
  ) throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let place = disk.url.appending(path: "reserve")
    try Data(count: free(disk.url) - spare << 10).write(to: disk.url.appending(path: "others"))
    let before = try free(disk.url)
    DiskReserve(at: place).fill()
    let taken = try FileStatus(at: place)?.byteCount
    #expect(taken == (isWorth ? before - 96 << 10 : nil))
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test func `What is set aside takes its space on disks that compress as well`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let place = disk.url.appending(path: "reserve")
    DiskReserve(at: place).fill()
    let bytes = try Data(contentsOf: place)
    let counts = bytes.reduce(into: [Int](repeating: 0, count: 256)) { $0[Int($1)] += 1 }
    #expect(bytes.count == 256 << 10)
    // Every byte is about as frequent as any other.
    #expect(counts.allSatisfy { (512...2_048).contains($0) })
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }
}
