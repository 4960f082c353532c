import Foundation
import PortolanArchives
import PortolanTestSupport
import Testing

/// Archives in which two readers find different things.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ZIPAgreementTests {
  /// An archive with two directories: whoever looks for the last one finds `b`, others `a` and `b`.
  private func twoDirectories() -> Data {
    let (a, b) = (RawZIP.Entry("a"), RawZIP.Entry.deflated("b"))
    // The second entry begins after the header, the name and the content of the first.
    return twoDirectories(RawZIP(a, b), b.with { $0.offset = UInt32(30 + 1 + 7) })
  }

  /// An archive behind whose directory there is another one, with one entry.
  private func twoDirectories(_ first: RawZIP, _ entry: RawZIP.Entry) -> Data {
    var data = first.data
    var second = RawZIP(entry).data
    second.removeSubrange(0..<30 + entry.name.count + entry.content.count)
    second.replaceSubrange(second.count - 6..<second.count - 2, with: bytes(UInt32(data.count)))
    data.replaceSubrange(data.count - 2..<data.count, with: bytes(UInt16(second.count)))
    return data + second
  }

  private func bytes<Number: FixedWidthInteger>(_ number: Number) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }

  @Test func `An archive with two directories is refused`() throws {
    #expect(throws: ArchiveError.ambiguous(file: "t.zip", entry: nil, reason: "1 or 2 entries")) {
      try ZIPArchive(MemoryByteSource(twoDirectories(), name: "t.zip"))
    }
  }

  @Test func `A 64-bit size that lies is refused, one that is right is taken`() throws {
    let archive = { (size: UInt64) throws(ArchiveError) in
      let entry = RawZIP.Entry("a").with {
        $0.size = .max
        $0.extra = [1, 0, 8, 0] + Array(self.bytes(size))
      }
      return try ZIPArchive(RawZIP(entry).source)
    }
    #expect(try archive(7).data(named: "a", limit: 9) == Data("content".utf8))
    #expect(throws: ArchiveError.self) { try archive(8).data(named: "a", limit: 9) }
    #expect(throws: ArchiveError.self) { try archive(.max).data(named: "a", limit: 9) }
  }

  @Test func `An archive that is cut in its middle or holds an overlap is refused`() throws {
    let whole = RawZIP(.deflated("a"), .init("b"), .deflated("c")).data
    for count in [whole.count / 3, whole.count / 2, whole.count - 30] {
      #expect(throws: ArchiveError.self) {
        try ZIPArchive(MemoryByteSource(whole.prefix(count), name: "t.zip"))
      }
    }
    var raw = RawZIP(.deflated("a"), .deflated("b"))
    raw.entries[1].offset = 0
    #expect(throws: ArchiveError.self) { try ZIPArchive(raw.source) }
  }

  @Test func `The bytes of an entry do not reach into the directory`() throws {
    // The header has an extra field, for which the directory leaves no room.
    let entry = RawZIP.Entry("a").with {
      $0.localExtra = [0xFE, 0xCA, 0, 0]
      $0.content = Data("con".utf8)
      $0.checksum = RawZIP.checksum(Data("conPK\u{1}\u{2}".utf8))
    }
    let archive = try ZIPArchive(RawZIP(entry).source)
    #expect(
      throws: ArchiveError.damaged(
        file: "t.zip", entry: "a", reason: "it does not lie inside the file")
    ) { try archive.data(named: "a", limit: 100) }
  }

  @Test func `An archive whose directories disagree on a checksum is refused`() throws {
    let entry = RawZIP.Entry("a")
    let other = entry.with {
      $0.offset = 0
      $0.checksum ^= 1
    }
    #expect(throws: ArchiveError.ambiguous(file: "t.zip", entry: "a", reason: "two checksums")) {
      try ZIPArchive(MemoryByteSource(twoDirectories(RawZIP(entry), other), name: "t.zip"))
    }
  }

  @Test func `Readers have no choice in what the writer writes`() throws {
    let url = temporaryDirectory.appending(path: "plain.zip")
    var writer = try ZIPWriter(replacing: url)
    try writer.add("a", Data("content".utf8))
    try writer.add("地図", Data(count: 100_000), method: .deflated(level: 6))
    try writer.finish()
    let archive = try ZIPArchive(at: url)
    #expect(archive.isPlain)
    try archive.checkAgreement()
  }

  @Test func `Readers may have a choice where something precedes, follows or replaces`() throws {
    let entry = RawZIP.Entry("a")
    var (preceded, commented) = (RawZIP(entry), RawZIP(entry))
    preceded.prefix = Data("#!".utf8)
    commented.comment = Data("PK\u{5}\u{6}".utf8)
    let raws = [
      preceded, commented, RawZIP(entry.with { $0.flags = 1 }),
      RawZIP(entry.with { $0.method = 12 }),
      RawZIP(entry.with { $0.extra = [0x75, 0x70, 0, 0] }),
      RawZIP(entry.with { $0.extra = [0xFE, 0xCA, 0, 0, 0] }),
      // The record that ends the archive inside it.
      RawZIP(.init("inner.zip", String(decoding: RawZIP().data, as: UTF8.self))),
    ]
    #expect(try ZIPArchive(RawZIP(entry).source).isPlain)
    #expect(
      try ZIPArchive(RawZIP(entry.with { $0.extra = [0xFE, 0xCA, 1, 0, 9] }).source).isPlain)
    for raw in raws {
      // An archive that libzip cannot read is refused, which is as good.
      let archive = try? ZIPArchive(raw.source)
      #expect(archive?.isPlain != true, "\(raw)")
    }
  }

  @Test func `Archives that are sound, commented or preceded by a program are agreed upon`() throws
  {
    var raw = RawZIP(.init("a"), .deflated("p13/地図"), .init([0x81, 0x62], Data()), .init("f/"))
    try ZIPArchive(raw.source).checkAgreement()
    raw.comment = Data("a comment".utf8)
    raw.prefix = Data(repeating: 0x20, count: 5_000)
    let archive = try ZIPArchive(raw.source)
    try archive.checkAgreement()
    #expect(try archive.data(named: "p13/地図", limit: 100) == Data("content".utf8))
  }

  @Test func `Encrypted entries, links and other methods are listed by both`() throws {
    let raw = RawZIP(
      .init("a").with { $0.flags = 1 }, .init("b").with { $0.method = 12 },
      .init("c").with { $0.attributes = 0o120777 << 16 }, .init("d"), .init("d"), .deflated("e"))
    let archive = try ZIPArchive(raw.source)
    #expect(try archive.data(named: "e", limit: 100) == Data("content".utf8))
  }

  @Test func `A name in the extra field for UTF-8 counts if it belongs to the other`() throws {
    let name = Array("地図".utf8)
    let field = { (checksum: UInt32) -> [UInt8] in
      [0x75, 0x70, UInt8(5 + name.count), 0, 1] + Array(self.bytes(checksum)) + name
    }
    let checksum = RawZIP.checksum(Data([0x81]))
    let raw = RawZIP(
      .init([0x81], Data("x".utf8)).with { $0.extra = field(checksum) },
      .init([0x81], Data("y".utf8)).with { $0.extra = field(checksum ^ 1) })
    let archive = try ZIPArchive(raw.source)
    #expect(archive.entries.map(\.name) == ["地図", "ü"])
    try archive.checkAgreement()
  }

  @Test func `Compressed entries are read by many tasks at once`() async throws {
    let entries = (0..<20).map { RawZIP.Entry.deflated("\($0)", "content \($0)") }
    var raw = RawZIP()
    raw.entries = entries
    let archive = try ZIPArchive(raw.source)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let data = try archive.data(named: "\(number % 20)", limit: 100)
          return data == Data("content \(number % 20)".utf8)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
