import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanArchives

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ZIPWriterTests {
  private let url: URL
  private static let text = Data(String(repeating: "Casco Bay, ", count: 90_000).utf8)

  init() { url = temporaryDirectory.appending(path: "made.mmpk") }

  /// An archive of every kind of entry.
  private func write() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_001)
    var writer = try ZIPWriter(replacing: url, modified: date)
    try writer.add("package.info", Data("{}".utf8))
    try writer.add("p13/large.txt", Self.text, method: .deflated(level: 6))
    try writer.add("p13/Übersicht 地図", Self.text)
    try writer.add("empty", Data())
    try writer.add("none", Data(), method: .deflated(level: 9))
    try writer.finish()
  }

  @Test func `Written entries are read back`() throws {
    try write()
    let archive = try ZIPArchive(at: url)
    #expect(
      archive.entries.map(\.path) == [
        "package.info", "p13/large.txt", "p13/Übersicht 地図", "empty", "none",
      ])
    #expect(try archive.data(named: "p13/large.txt", limit: 1 << 20) == Self.text)
    #expect(try archive.data(named: "p13/Übersicht 地図", limit: 1 << 20) == Self.text)
    #expect(try archive.data(named: "empty", limit: 0) == Data())
    #expect(try archive.data(named: "none", limit: 0) == Data())
  }

  @Test func `The same entries give the same bytes`() throws {
    try write()
    let first = try Data(contentsOf: url)
    try write()
    #expect(try Data(contentsOf: url) == first)
  }

  @Test func `More entries than 16 bits can count are written and read`() throws {
    var writer = try ZIPWriter(replacing: url)
    for number in 0..<66_000 { try writer.add("\(number)", Data()) }
    try writer.finish()
    let archive = try ZIPArchive(at: url)
    #expect(archive.entries.count == 66_000)
    #expect(try archive.entry(named: "65999") != nil)
  }

  @Test(arguments: ["", "/a", "../a", "a\\b", "a//b", "a/", "C:x", "a\0"])
  func `A name that could not be unpacked is refused`(_ name: String) throws {
    #expect(throws: ArchiveError.self) {
      var writer = try ZIPWriter(replacing: url)
      try writer.add(name, Data())
    }
  }

  @Test func `A name is used once`() throws {
    #expect(throws: ArchiveError.self) {
      var writer = try ZIPWriter(replacing: url)
      try writer.add("a", Data())
      try writer.add("a", Data())
    }
  }

  @Test func `Names that are written with accents of their own are two entries`() throws {
    var writer = try ZIPWriter(replacing: url)
    try writer.add("\u{E9}", Data("one".utf8))
    try writer.add("e\u{301}", Data("two".utf8))
    try writer.add("a\u{308}", Data("three".utf8))
    try writer.finish()
    let archive = try ZIPArchive(at: url)
    #expect(archive.entries.count == 3)
    #expect(try archive.data(named: "\u{E9}", limit: 9) == Data("one".utf8))
    #expect(try archive.data(named: "e\u{301}", limit: 9) == Data("two".utf8))
    // Only one can be meant.
    #expect(try archive.data(named: "\u{E4}", limit: 9) == Data("three".utf8))
  }

  @Test func `An archive takes the place of what is there only where that is asked for`() throws {
    try Data("mine".utf8).write(to: url)
    #expect(throws: ArchiveError.alreadyExists(file: url.path)) {
      var writer = try ZIPWriter(replacing: url)
      try writer.add("a", Data())
      try writer.finish(replacing: false)
    }
    #expect(try Data(contentsOf: url) == Data("mine".utf8))
    try write()
    #expect(try ZIPArchive(at: url).entries.count == 5)
  }

  @Test func `An abandoned archive leaves nothing behind`() throws {
    do {
      var writer = try ZIPWriter(replacing: url)
      try writer.add("a", Self.text)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path) == [])
  }

  @Test func `An archive of nothing is an archive`() throws {
    try ZIPWriter(replacing: url).finish()
    #expect(try ZIPArchive(at: url).entries.isEmpty)
  }

  @Test func `A file is opened only while it is copied, and refused if it has changed`() throws {
    let file = temporaryDirectory.appending(path: "file")
    try Self.text.write(to: file)
    var writer = try ZIPWriter(replacing: url)
    try writer.add("a", file: file)
    try writer.finish()
    #expect(try ZIPArchive(at: url).data(named: "a", limit: 1 << 20) == Self.text)
    let before = try Data(contentsOf: url)
    for other in [Data("shorter".utf8), Self.text + Data("longer".utf8)] {
      try Self.text.write(to: file)
      #expect(throws: ArchiveError.self) {
        var second = try ZIPWriter(replacing: url)
        try second.add("a", file: file)
        try other.write(to: file)
        try second.finish()
      }
      #expect(try Data(contentsOf: url) == before)
    }
  }

  @Test func `A content that cannot be read leaves the archive before in its place`() throws {
    try write()
    let before = try Data(contentsOf: url)
    #expect(throws: ArchiveError.truncated(file: "cut", offset: 5)) {
      var writer = try ZIPWriter(replacing: url)
      try writer.add("a", contentsOf: CutSource())
      try writer.finish()
    }
    #expect(try Data(contentsOf: url) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
        == ["made.mmpk"])
  }

  @Test(.needsMounting)
  func `An archive whose end has no room on the disk does not take its place`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 1)
    let target = disk.url.appending(path: "a.zip")
    try Data("old".utf8).write(to: target)
    let free = try #require(FreeSpace.byteCount(at: disk.url))
    try Data(count: free - 32 << 10).write(to: disk.url.appending(path: "filling"))
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    #expect(throws: ArchiveError.self) {
      var writer = try ZIPWriter(replacing: target)
      // All of it waits to be written at the end.
      try writer.add("a", bytes)
      try writer.finish()
    }
    #expect(try Data(contentsOf: target) == Data("old".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.url.path).sorted()
        == ["a.zip", "filling"])
  }

  @Test func `After a task that was cancelled while it read, damage is damage`() async throws {
    let noise = Data((0..<1 << 20).map { _ in UInt8.random(in: 0...255) })
    var writer = try ZIPWriter(replacing: url)
    try writer.add("sound", noise, method: .deflated(level: 1))
    try writer.add("damaged", Data(noise.reversed()), method: .deflated(level: 1))
    try writer.finish()
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count - noise.count / 2] ^= 1
    let archive = try ZIPArchive(MemoryByteSource(bytes, name: "made.mmpk"))
    let (sound, damaged) = (archive.entries[0], archive.entries[1])
    let result = Task {
      try archive.read(sound) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    await #expect(throws: ArchiveError.cancelled) { try await result.value }
    let error = #expect(throws: ArchiveError.self) { try archive.data(of: damaged, limit: 1 << 21) }
    #expect(error != .cancelled)
    #expect(try archive.data(of: sound, limit: 1 << 21) == noise)
  }

  @Test func `A cancelled task stops writing`() async throws {
    let url = url
    let result = Task {
      var writer = try ZIPWriter(replacing: url)
      try writer.add("a", Self.text)
      withUnsafeCurrentTask { $0?.cancel() }
      try writer.finish()
    }
    await #expect(throws: ArchiveError.cancelled) { try await result.value }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path) == [])
  }

  @Test(arguments: [
    (-1e12, 0, 0x0021), (315_532_800, 0, 0x0021), (1_700_000_001, 0xB1AA, 0x576E),
    (1e12, 0xBF7D, 0xFF9F),
  ])
  func `Times are kept to two seconds in the years that the format knows`(
    _ seconds: Double, _ time: UInt16, _ day: UInt16
  ) {
    let date = ZIPDate(Date(timeIntervalSince1970: seconds))
    #expect(date.time == time)
    #expect(date.day == day)
  }
}

/// A source that has fewer bytes than it announces.
private struct CutSource: ByteSource {
  let name = "cut"
  let count = 10
  func read(_ range: Range<Int>) throws(ArchiveError) -> Data {
    throw .truncated(file: name, offset: 5)
  }
}
