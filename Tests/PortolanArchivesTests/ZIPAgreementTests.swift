import Foundation
import PortolanArchives
import Testing

/// Archives in which two readers find different things.
@Suite(.timeLimit(.minutes(5))) struct ZIPAgreementTests {
  /// An archive with two directories: whoever looks for the last one finds `b`, others `a` and `b`.
  private func twoDirectories() -> Data {
    let (a, b) = (RawZIP.Entry("a"), RawZIP.Entry.deflated("b"))
    var data = RawZIP(a, b).data
    // Where the second entry begins: after the header, the name and the content of the first.
    let place = UInt32(30 + 1 + 7)
    var second = RawZIP(b.with { $0.offset = place }).data
    second.removeSubrange(0..<30 + 1 + b.content.count)
    second.replaceSubrange(second.count - 6..<second.count - 2, with: bytes(UInt32(data.count)))
    data.replaceSubrange(data.count - 2..<data.count, with: bytes(UInt16(second.count)))
    return data + second
  }

  private func bytes<Number: FixedWidthInteger>(_ number: Number) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }

  @Test func `An archive with two directories is refused`() throws {
    let archive = try ZIPArchive(MemoryByteSource(twoDirectories(), name: "t.zip"))
    #expect(archive.entries.map(\.name) == ["b"])
    let refusal = ArchiveError.ambiguous(file: "t.zip", entry: nil, reason: "1 or 2 entries")
    #expect(throws: refusal) { try archive.checkAgreement() }
    #expect(throws: refusal) { try archive.data(named: "b", limit: 100) }
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
