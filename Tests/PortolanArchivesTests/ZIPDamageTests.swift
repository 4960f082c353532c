import Foundation
import PortolanArchives
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ZIPDamageTests {
  private let whole: Data

  /// An archive with stored, compressed and empty entries.
  init() throws {
    let url = temporaryDirectory.appending(path: "whole.zip")
    var writer = try ZIPWriter(replacing: url)
    try writer.add("package.info", Data(#"{"version":"1"}"#.utf8))
    try writer.add("p13/mobile_map.mmap", Self.text, method: .deflated(level: 9))
    try writer.add("empty", Data(), method: .deflated(level: 1))
    try writer.finish()
    whole = try Data(contentsOf: url)
  }

  private static let text = Data(String(repeating: "Mount Desert Island; ", count: 200).utf8)

  /// Reads everything, and answers what came out whole.
  private func contents(of data: Data) throws(ArchiveError) -> [String: Data] {
    let archive = try ZIPArchive(MemoryByteSource(data, name: "t.zip"))
    var contents: [String: Data] = [:]
    for entry in archive.entries {
      contents[entry.name] = try archive.data(of: entry, limit: 1 << 20)
    }
    return contents
  }

  @Test func `The archive is sound to begin with`() throws {
    #expect(try contents(of: whole)["p13/mobile_map.mmap"] == Self.text)
  }

  @Test func `Every prefix is refused`() {
    for count in 0..<whole.count {
      #expect(throws: ArchiveError.self) { try contents(of: whole.prefix(count)) }
    }
  }

  @Test func `A flipped bit never gives other content under an entry's name`() throws {
    let sound = try contents(of: whole)
    for place in whole.indices {
      for bit in [0x01, 0x80] as [UInt8] {
        var damaged = whole
        damaged[place] ^= bit
        let found = Result { () throws(ArchiveError) in try contents(of: damaged) }
        guard case .success(let found) = found else { continue }
        for (name, data) in found { #expect(sound[name] ?? data == data) }
      }
    }
  }

  @Test func `Bytes set to their extremes are survived`() {
    for place in whole.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var damaged = whole
        damaged.replaceSubrange(
          place..<min(place + 4, whole.count), with: Data(repeating: value, count: 4))
        _ = Result { () throws(ArchiveError) in try contents(of: damaged) }
      }
    }
  }

  @Test func `A bomb is bounded by what it announces`() throws {
    let url = temporaryDirectory.appending(path: "bomb.zip")
    var writer = try ZIPWriter(replacing: url)
    try writer.add("zeros", Data(count: 20_000_000), method: .deflated(level: 9))
    try writer.finish()
    var bytes = try Data(contentsOf: url)
    #expect(bytes.count < 40_000)
    // Both places where the size stands now say 100 bytes.
    let size = Data([0x00, 0x2D, 0x31, 0x01])
    while let place = bytes.range(of: size) { bytes.replaceSubrange(place, with: [100, 0, 0, 0]) }
    let archive = try ZIPArchive(MemoryByteSource(bytes, name: "t.zip"))
    #expect(archive.entries[0].size == 100)
    #expect(throws: ArchiveError.self) { try archive.data(of: archive.entries[0], limit: 1000) }
  }

  @Test func `A large entry may decompress to no more than a hundred times its bytes`()
    throws
  {
    func entry(_ compressed: Int) throws -> (ZIPArchive, ZIPEntry) {
      var entry = RawZIP.Entry(Array("a".utf8), Data(count: compressed))
      entry.method = 8
      entry.size = 300 << 20
      let archive = try ZIPArchive(RawZIP(entry).source)
      return (archive, archive.entries[0])
    }
    let (bomb, bombed) = try entry(400_000)
    #expect(throws: ArchiveError.tooLarge(file: "t.zip", entry: "a", limit: 256 << 20)) {
      try bomb.checkSize(of: bombed, limit: .max)
    }
    let (database, compressed) = try entry(4_000_000)
    try database.checkSize(of: compressed, limit: .max)
    #expect(throws: ArchiveError.tooLarge(file: "t.zip", entry: "a", limit: 1_000)) {
      try database.checkSize(of: compressed, limit: 1_000)
    }
  }

  @Test func `The package inside one whose end is missing is not taken for it`() throws {
    let url = temporaryDirectory.appending(path: "outer.mmpk")
    var writer = try ZIPWriter(replacing: url)
    try writer.add("p13/map.tpkx", whole)
    try writer.add("package.info", Data("{}".utf8))
    try writer.finish()
    let outer = try Data(contentsOf: url)
    for count in 0..<outer.count {
      #expect(throws: ArchiveError.self) { try contents(of: outer.prefix(count)) }
    }
  }

  @Test func `An archive whose end is missing is said to be cut off, not to be something else`() {
    let whole = RawZIP(.init("a", "x"), .init("b", "y")).data
    for count in 4..<whole.count {
      let source = MemoryByteSource(whole.prefix(count), name: "t.zip")
      let error = #expect(throws: ArchiveError.self) { try ZIPArchive(source) }
      #expect(error?.fault.hasPrefix("the file is cut off") == true, "\(count)")
      #expect(error?.recoverySuggestion == "Copy or download the file again.")
    }
  }

  @Test(arguments: [Data(), Data("PK".utf8), Data(count: 100_000), Data("SQLite format 3\0".utf8)])
  func `A file that is no archive is reported as such`(_ data: Data) {
    #expect(throws: ArchiveError.notAnArchive(file: "t.zip")) {
      try ZIPArchive(MemoryByteSource(data, name: "t.zip"))
    }
  }

  @Test(.needsSharedFiles, arguments: ["tile-packages/Usa.tpkx", "tile-packages/dodge_city.vtpk"])
  func `Packages that Esri wrote are read whole`(_ sample: String) throws {
    let archive = try ZIPArchive(at: SharedFiles.url("samples/\(sample)"))
    for entry in archive.entries where entry.kind == .file {
      #expect(try archive.data(of: entry, limit: 1 << 28).count == entry.size)
    }
    #expect(archive.entries.count > 5)
  }
}
