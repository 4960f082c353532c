import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The notes of audits on damaged maps, for lists that look at no file.
@Suite(.temporaryDirectory) struct NotedDamageTests {
  private static let part = "p13/tiles.tpkx"

  private func damage(_ bed: LibraryBed) async throws -> [MapID: String] {
    let library = bed.library()
    return await library.notedDamage(of: try await library.maps())
  }

  private func look(at bed: LibraryBed, _ depth: AuditDepth = .quick) async throws {
    _ = try await bed.audit(bed.library()).findings(depth)
  }

  /// Alters a file as a disk that fails does: with the date that it had.
  private func rot(_ file: URL) throws {
    let status = try #require(FileStatus(file))
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data(repeating: 8, count: status.byteCount))
    try handle.close()
    let time = timespec(
      tv_sec: Int(status.modified / 1_000_000_000), tv_nsec: Int(status.modified % 1_000_000_000))
    let isDated = unsafe utimensat(AT_FDCWD, file.path(), [time, time], 0) == 0
    #expect(isDated)
  }

  @Test func `Damage is noted by an audit, and forgotten by one that finds none`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let other = try await bed.install("b", in: bed.library())
    let file = bed.layout.place(of: map).appending(path: Self.part)
    let whole = try Data(contentsOf: file)
    try whole.dropLast().write(to: file)
    #expect(try await damage(bed).isEmpty)
    try await look(at: bed)
    #expect(try await damage(bed) == [map.id: "\(Self.part) has 4999 of 5000 bytes."])
    #expect(try await damage(bed)[other.id] == nil)
    try whole.write(to: file)
    try await look(at: bed)
    #expect(try await damage(bed).isEmpty)
  }

  @Test func `What only reading every file finds is not forgotten by a quick audit`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let file = bed.layout.place(of: map).appending(path: Self.part)
    let whole = try Data(contentsOf: file)
    try rot(file)
    try await look(at: bed)
    #expect(try await damage(bed).isEmpty)
    try await look(at: bed, .deep)
    #expect(try await damage(bed).keys.map(\.text) == ["a"])
    try await look(at: bed)
    #expect(try await damage(bed).keys.map(\.text) == ["a"])
    try whole.write(to: file)
    try await look(at: bed, .deep)
    #expect(try await damage(bed).isEmpty)
  }

  @Test func `Damage of either depth stays noted until an audit of that depth finds it no more`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let place = bed.layout.place(of: map)
    let tiles = place.appending(path: Self.part)
    let whole = try Data(contentsOf: tiles)
    let document = place.appending(path: "p13/mobile_map.mmap")
    let text = try Data(contentsOf: document)
    let altered = "\(Self.part) is not what was installed."
    let missing = "p13/mobile_map.mmap is missing."
    try rot(tiles)
    try await look(at: bed, .deep)
    #expect(try await damage(bed) == [map.id: altered])
    try FileManager.default.removeItem(at: document)
    try await look(at: bed)
    #expect(try await damage(bed) == [map.id: "\(missing) \(altered)"])
    // A deep audit sees both, and knows which of them a quick one sees.
    try await look(at: bed, .deep)
    #expect(try await damage(bed) == [map.id: "\(missing) \(altered)"])
    try text.write(to: document)
    try await look(at: bed)
    #expect(try await damage(bed) == [map.id: altered])
    try whole.write(to: tiles)
    try await look(at: bed, .deep)
    #expect(try await damage(bed).isEmpty)
  }

  @Test func `What reading every file has found is still noted of files that were elsewhere`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let place = bed.layout.place(of: map)
    try rot(place.appending(path: Self.part))
    try await look(at: bed, .deep)
    let elsewhere = temporaryDirectory.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: place, to: elsewhere)
    try await look(at: bed, .deep)
    #expect(try await damage(bed)[map.id]?.hasPrefix("Its files are missing.") == true)
    try FileManager.default.moveItem(at: elsewhere, to: place)
    try await look(at: bed)
    #expect(try await damage(bed) == [map.id: "\(Self.part) is not what was installed."])
  }

  @Test(arguments: [true, false])
  func `A note of version 0 is read, and forgotten by an audit that sees what it is about`(
    _ isFoundByReading: Bool
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let file = bed.layout.damageFile(of: map.version, of: map.id.text)
    let note = #"{"reason":"b is altered.","isFoundByReading":\#(isFoundByReading)}"#
    try Data(note.utf8).write(to: file)
    #expect(try await damage(bed) == [map.id: "b is altered."])
    let tiles = bed.layout.place(of: map).appending(path: Self.part)
    let whole = try Data(contentsOf: tiles)
    try FileManager.default.removeItem(at: tiles)
    try await look(at: bed)
    let rest = isFoundByReading ? " b is altered." : ""
    #expect(try await damage(bed) == [map.id: "\(Self.part) is missing.\(rest)"])
    try whole.write(to: tiles)
    try await look(at: bed)
    #expect(try await damage(bed) == (isFoundByReading ? [map.id: "b is altered."] : [:]))
    try await look(at: bed, .deep)
    #expect(try await damage(bed).isEmpty)
    #expect(!FileSystem.live.exists(file))
  }

  @Test func `A note that a newer Portolan wrote says nothing`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let note = #"{"version":2,"quick":["b is missing."],"deep":[]}"#
    let file = bed.layout.damageFile(of: map.version, of: map.id.text)
    try Data(note.utf8).write(to: file)
    #expect(try await damage(bed).isEmpty)
  }

  @Test(arguments: [AuditDepth.quick, .deep])
  func `Files that are there again are not said to be missing`(
    _ depth: AuditDepth
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let place = bed.layout.place(of: map)
    let elsewhere = temporaryDirectory.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: place, to: elsewhere)
    try await look(at: bed, depth)
    #expect(try await damage(bed) == [map.id: "Its files are missing."])
    try FileManager.default.moveItem(at: elsewhere, to: place)
    try await look(at: bed)
    #expect(try await damage(bed).isEmpty)
  }

  @Test func `What was noted of missing files goes with the record that a repair removes`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let place = bed.layout.place(of: map)
    let container = place.deletingLastPathComponent()
    let elsewhere = temporaryDirectory.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: container, to: elsewhere)
    try await look(at: bed)
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().maps().isEmpty)
    try FileManager.default.moveItem(at: elsewhere, to: container)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await bed.library().maps().map(\.id) == [map.id])
    #expect(try await damage(bed).isEmpty)
  }

  @Test func `A map that is stored again after a repair is not said to be damaged`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try FileManager.default.removeItem(at: bed.layout.place(of: map).appending(path: Self.part))
    try await look(at: bed)
    let audit = bed.audit(bed.library())
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    #expect(try await damage(bed).isEmpty)
    try await bed.library().emptyTrash()
    let again = try await bed.install(in: bed.library())
    #expect(again.version == map.version)
    #expect(try await damage(bed).isEmpty)
  }

  @Test func `What was found is forgotten with the version, and said of no other`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try FileManager.default.removeItem(at: bed.layout.place(of: map).appending(path: Self.part))
    try await look(at: bed)
    try await bed.install(info: "two", in: bed.library())
    #expect(try await damage(bed).isEmpty)
    let file = bed.layout.damageFile(of: map.version, of: map.id.text)
    #expect(FileSystem.live.exists(file))
    try await bed.library().reclaimSpace()
    #expect(!FileSystem.live.exists(file))
  }
}
