import Foundation
import PortolanArchives
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ZIPArchiveTests {
  private func open(_ raw: RawZIP) throws(ArchiveError) -> ZIPArchive {
    try ZIPArchive(raw.source)
  }

  @Test func `Entries are listed, found and read`() throws {
    let archive = try open(
      RawZIP(.init("package.info", "{}"), .init("p13/"), .init("p13/map", "m")))
    #expect(archive.entries.map(\.path) == ["package.info", "p13", "p13/map"])
    #expect(archive.entries.map(\.kind) == [.file, .folder, .file])
    #expect(try archive.data(named: "p13/map", limit: 10) == Data("m".utf8))
    #expect(try archive.data(named: "P13/MAP", limit: 10) == Data("m".utf8))
    #expect(try archive.entry(named: "p13/other") == nil)
    #expect(throws: ArchiveError.noSuchEntry(file: "t.zip", entry: "x")) {
      try archive.data(named: "x", limit: 10)
    }
  }

  @Test func `A stored entry is read in place`() throws {
    let raw = RawZIP(.init("a"), .init("b", "in place").with { $0.localExtra = [1, 2, 3] })
    let archive = try open(raw)
    let entry = try #require(try archive.entry(named: "b"))
    let range = try #require(try archive.storedRange(of: entry))
    #expect(try archive.source.read(range) == Data("in place".utf8))
  }

  @Test func `An exact name comes before one that differs in case`() throws {
    let archive = try open(RawZIP(.init("A", "upper"), .init("a", "lower")))
    #expect(try archive.data(named: "a", limit: 10) == Data("lower".utf8))
    #expect(try archive.data(named: "A", limit: 10) == Data("upper".utf8))
  }

  @Test func `A name that occurs twice is not guessed at`() throws {
    let archive = try open(RawZIP(.init("a", "1"), .init("a", "2"), .init("Ä", "3"), .init("ä")))
    #expect(throws: ArchiveError.self) { try archive.entry(named: "a") }
    #expect(try archive.data(named: "Ä", limit: 9) == Data("3".utf8))
  }

  @Test func `An empty archive, a comment and bytes around it do no harm`() throws {
    #expect(try open(RawZIP()).entries.isEmpty)
    var raw = RawZIP(.init("a", "x"))
    raw.prefix = Data(repeating: 0x50, count: 100_000)
    raw.comment = Data("PK\u{5}\u{6} is not the end".utf8)
    #expect(try open(raw).data(named: "a", limit: 1) == Data("x".utf8))
    raw.comment = Data(repeating: 0x20, count: 65_535)
    #expect(try open(raw).data(named: "a", limit: 1) == Data("x".utf8))
    let trailing = MemoryByteSource(raw.data + Data(count: 10), name: "t.zip")
    raw.comment = Data()
    #expect(throws: ArchiveError.notAnArchive(file: "t.zip")) { try ZIPArchive(trailing) }
    let padded = MemoryByteSource(raw.data + Data(count: 10), name: "t.zip")
    #expect(try ZIPArchive(padded).data(named: "a", limit: 1) == Data("x".utf8))
  }

  @Test(
    arguments: [
      ("a/b", "a/b"), ("a\\b", "a/b"), ("./a//b/", "a/b"), (".a..b.", ".a..b."), ("...", "..."),
      ("a:b", nil), ("", nil), ("/a", nil), ("\\a", nil), ("..", nil), ("a/../b", nil),
      ("a\\..\\b", nil), ("C:/x", nil), ("c:x", nil), ("a\0b", nil), (".", nil),
      ("x/C:/y", "x/C:/y"),
      ("12:30", "12:30"), ("1:2", "1:2"), ("über/ñ", "über/ñ"),
    ] as [(String, String?)])
  func `Names that lead out of a folder are listed and not read`(
    _ name: String, _ path: String?
  ) throws {
    let archive = try open(RawZIP(.init(name)))
    let entry = try #require(archive.entries.first)
    #expect(entry.name == name)
    #expect(entry.path == path)
    guard path == nil else { return }
    #expect(throws: ArchiveError.unsafeName(file: "t.zip", entry: name)) {
      try archive.data(of: entry, limit: 100)
    }
    #expect(throws: ArchiveError.self) {
      try archive.unpack(entry, to: temporaryDirectory.appending(path: "out"), limit: 100)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path) == [])
  }

  @Test func `Names are UTF-8 where they can be, else CP437`() throws {
    let archive = try open(
      RawZIP(
        .init("地図"), .init("über").with { $0.flags = 0x800 },
        .init([0x81, 0x62, 0x65, 0x72, 0xE1], Data())))
    #expect(archive.entries.map(\.name) == ["地図", "über", "überß"])
  }

  @Test(arguments: [
    (RawZIP.Entry("a").with { $0.attributes = 0o120777 << 16 }, "symbolic links"),
    (RawZIP.Entry("a").with { $0.attributes = 0o020666 << 16 }, "devices"),
    (RawZIP.Entry("a").with { $0.method = 12 }, "bzip2 compression (method 12)"),
    (RawZIP.Entry("a").with { $0.flags = 1 }, "encryption"),
  ])
  func `Unsupported entries are listed and named`(
    _ entry: RawZIP.Entry, _ feature: String
  ) throws {
    let archive = try open(RawZIP(entry))
    #expect(throws: ArchiveError.unsupported(file: "t.zip", entry: "a", feature: feature)) {
      try archive.data(named: "a", limit: 100)
    }
  }

  @Test(arguments: [
    RawZIP.Entry("a").with { $0.checksum ^= 1 }, RawZIP.Entry("a").with { $0.localName = [0x62] },
    RawZIP.Entry("a").with { $0.localName = [0x61, 0x61] },
    RawZIP.Entry("a").with { $0.method = 8 },
    RawZIP.Entry("a").with { $0.localExtra = Array(repeating: 0, count: 60_000) },
  ])
  func `An entry that contradicts itself is refused`(_ entry: RawZIP.Entry) throws {
    let raw = RawZIP(entry, .init("z"))
    #expect(throws: ArchiveError.self) {
      let archive = try open(raw)
      var data = raw.data
      // The extra field announced in the header is larger than the file.
      if !entry.localExtra.isEmpty { data.removeSubrange(31..<60_031) }
      _ = try archive.data(named: "a", limit: 100)
      _ = try ZIPArchive(MemoryByteSource(data, name: "t.zip")).data(named: "a", limit: 100)
    }
  }

  /// The fields of the header, with its flags; bit 3 says that the sizes follow the content.
  @Test(
    arguments: [
      (7, 7, 0, true), (8, 7, 0, false), (7, 6, 0, false), (0, 0, 0, false), (0, 0, 8, true),
      (.max, .max, 0, true),
    ] as [(UInt32, UInt32, UInt16, Bool)])
  func `The sizes in the header of an entry are those of the directory, or left open`(
    _ size: UInt32, _ compressedSize: UInt32, _ flags: UInt16, _ isSound: Bool
  ) throws {
    let entry = RawZIP.Entry("a", "content").with {
      $0.localSize = size
      $0.localCompressedSize = compressedSize
      $0.flags = flags
    }
    let archive = try open(RawZIP(entry))
    if isSound {
      #expect(try archive.data(named: "a", limit: 100) == Data("content".utf8))
    } else {
      #expect(
        throws: ArchiveError.damaged(
          file: "t.zip", entry: "a", reason: "its header differs from the directory")
      ) { try archive.data(named: "a", limit: 100) }
    }
  }

  @Test(arguments: [
    RawZIP.Entry("a").with { $0.size = 8 }, RawZIP.Entry("a").with { $0.offset = 4_000 },
    RawZIP.Entry("a").with { $0.offset = .max }, RawZIP.Entry("a").with { $0.size = .max },
    RawZIP.Entry("a").with {
      $0.compressedSize = .max
      $0.size = .max
    },
    RawZIP.Entry("a").with {
      $0.method = 8
      $0.size = 1 << 30
    },
    RawZIP.Entry("a").with {
      $0.compressedSize = 9
      $0.size = 9
    },
  ])
  func `Sizes and offsets that cannot be are refused at once`(_ entry: RawZIP.Entry) {
    #expect(throws: ArchiveError.self) { try open(RawZIP(entry)) }
  }

  @Test func `Entries that share bytes are refused`() {
    var raw = RawZIP(.init("a", "aaaa"), .init("b", "bbbb"))
    raw.entries[1].offset = 0
    #expect(throws: ArchiveError.self) { try open(raw) }
    raw.entries[1].offset = 20
    #expect(throws: ArchiveError.self) { try open(raw) }
  }

  @Test(arguments: [0, 2, 70] as [UInt16]) func `A wrong number of entries is refused`(
    _ count: UInt16
  ) {
    var raw = RawZIP(.init("a"))
    raw.announcedCount = count
    #expect(throws: ArchiveError.self) { try open(raw) }
  }

  @Test(arguments: [4, 6]) func `A part of an archive of several volumes is not taken for it`(
    offset: Int
  ) {
    var data = RawZIP(.init("a")).data
    data[data.count - 22 + offset] = 1
    #expect(
      throws: ArchiveError.unsupported(file: "t.zip", entry: "", feature: "several volumes")
    ) { try ZIPArchive(MemoryByteSource(data, name: "t.zip")) }
  }

  @Test func `A directory that does not lie inside the archive is refused`() {
    var data = RawZIP(.init("a")).data
    // The directory begins behind the record that says so.
    data.replaceSubrange(data.count - 6..<data.count - 2, with: [0, 1, 0, 0])
    #expect(
      throws: ArchiveError.damaged(
        file: "t.zip", entry: nil, reason: "its directory does not lie inside the file")
    ) { try ZIPArchive(MemoryByteSource(data, name: "t.zip")) }
  }

  @Test(arguments: [true, false])
  func `Numbers that an archive leaves to its 64-bit record stand there, or nowhere`(
    _ isThere: Bool
  ) throws {
    let raw = RawZIP(.init("a"))
    var data = raw.data
    let end = data.count - 22
    let size = 47
    var record = raw.numbers(
      UInt32(0x0606_4B50), UInt64(44), UInt16(45), UInt16(45), UInt32(0), UInt32(0))
    record += raw.numbers(UInt64(1), UInt64(1), UInt64(size), UInt64(end - size))
    let locator = raw.numbers(UInt32(0x0706_4B50), UInt32(0), UInt64(end), UInt32(1))
    // Both counts of the entries, then the size of the directory and where it begins.
    data.replaceSubrange(end + 8..<end + 20, with: Data(repeating: 0xFF, count: 12))
    data.insert(contentsOf: (isThere ? record : Data(count: record.count)) + locator, at: end)
    let source = MemoryByteSource(data, name: "t.zip")
    guard isThere else {
      #expect(
        throws: ArchiveError.damaged(
          file: "t.zip", entry: nil, reason: "its 64-bit end record is missing")
      ) { try ZIPArchive(source) }
      return
    }
    let archive = try ZIPArchive(source)
    #expect(try archive.data(named: "a", limit: 100) == Data("content".utf8))
  }

  @Test func `The limit holds before anything is read`() throws {
    let archive = try open(RawZIP(.init("a", "12345")))
    let entry = try #require(archive.entries.first)
    #expect(throws: ArchiveError.tooLarge(file: "t.zip", entry: "a", limit: 4)) {
      try archive.data(of: entry, limit: 4)
    }
    let out = temporaryDirectory.appending(path: "out")
    #expect(throws: ArchiveError.self) { try archive.unpack(entry, to: out, limit: 4) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path) == [])
  }

  @Test(.needsMounting)
  func `An archive that does not fit on the disk is refused before it is unpacked`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 4)
    let archive = try open(RawZIP(.init(Array("a".utf8), Data(count: 5 << 20))))
    let error = #expect(throws: ArchiveError.self) {
      try archive.unpack(archive.entries[0], to: disk.url.appending(path: "out"), limit: .max)
    }
    guard case .noSpace("t.zip", entry: "a", needed: 5 << 20, available: _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
  }

  @Test(.needsMounting) func `As much as an entry takes is left free beside it`() throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 4)
    let url = temporaryDirectory.appending(path: "t.zip")
    var writer = try ZIPWriter(replacing: url)
    try writer.add("large", Data(count: 3 << 20))
    try writer.add("small", Data(count: 1 << 20))
    try writer.finish()
    let archive = try ZIPArchive(at: url)
    let out = disk.url.appending(path: "out")
    let error = #expect(throws: ArchiveError.self) {
      try archive.unpack(archive.entries[0], to: out, limit: .max)
    }
    guard case .noSpace(_, entry: "large", needed: 3 << 20, available: _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try archive.unpack(archive.entries[1], to: out, limit: .max)
    #expect(try Data(contentsOf: out).count == 1 << 20)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == ["out"])
  }

  @Test func `A damaged entry leaves no file behind`() throws {
    let archive = try open(RawZIP(.init("a").with { $0.checksum ^= 1 }))
    let out = temporaryDirectory.appending(path: "out")
    #expect(throws: ArchiveError.self) {
      try archive.unpack(archive.entries[0], to: out, limit: 99)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path) == [])
  }

  @Test func `A cancelled task stops reading`() async throws {
    let archive = try open(RawZIP(.init("a")))
    let result = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try archive.read(archive.entries[0]) { _ in }
    }
    await #expect(throws: ArchiveError.cancelled) { try await result.value }
  }
}
