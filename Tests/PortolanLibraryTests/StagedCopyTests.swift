import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// The outcome of a package of this device while it is copied in.
@Suite(.temporaryDirectory) struct StagedCopyTests {
  /// The size of the pieces in which a file is copied.
  private static let piece = 1 << 20
  /// Some pieces and a bit, of which no two are alike.
  private static let bytes = Data(
    (0..<3 * piece + 17).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) })

  private func makeSource() throws -> URL {
    let url = temporaryDirectory.appending(path: "maine.mmpk")
    try Self.bytes.write(to: url)
    return url
  }

  @Test func `A copy has the bytes of the original and their digest`() async throws {
    let source = try makeSource()
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staging = bed.layout.staging("import-1")
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    #expect(copy.url.plainPath == staging.appending(path: "maine.mmpk").plainPath)
    #expect(try Data(contentsOf: copy.url) == Self.bytes)
    #expect(try Data(contentsOf: source) == Self.bytes)
    let status = try #require(FileStatus(copy.url))
    let file = StoredFile(
      path: "", byteCount: Self.bytes.count, modified: status.modified,
      digest: try FileDigest.digest(of: source) { _ in })
    #expect(copy.files == [file] && copy.byteCount == Self.bytes.count && !copy.isInspected)
    // Nobody else reads what one person has brought in.
    #expect(status.permissions == 0o600 && FileStatus(staging)?.permissions == 0o700)
  }

  @Test(arguments: [".maine.mmpk", "maine.mmpk-wal.mmpk", "M\u{e4}ine 1.MMPK"])
  func `A package is stored whatever its name`(_ name: String) async throws {
    let source = temporaryDirectory.appending(path: name)
    try Self.bytes.write(to: source)
    let bed = try await LibraryBed(in: temporaryDirectory)
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    var record = try bed.record()
    record.form = .file
    let map = try await bed.library().install(copy.url, as: record, knowing: copy.files)
    #expect(try Data(contentsOf: bed.layout.place(of: map)) == Self.bytes)
    #expect(try await bed.storage.versions(of: map.id).first?.files.map(\.path) == [""])
  }

  @Test func `A file that is written while it is copied is refused, and nothing of it stays`()
    async throws
  {
    let source = try makeSource()
    let bed = try await LibraryBed(in: temporaryDirectory)
    let isWritten = Mutex(false)
    let staging = bed.layout.staging("import-1").plainPath
    let disk = FileSystem { call in
      guard case .write(let path) = call, path.hasPrefix(staging) else { return nil }
      let isFirst = isWritten.withLock { wasWritten in
        defer { wasWritten = true }
        return !wasWritten
      }
      guard isFirst else { return nil }
      do {
        let file = try FileHandle(forWritingTo: source)
        try file.seek(toOffset: 2 << 20)
        try file.write(contentsOf: Data("newer".utf8))
        try file.close()
      } catch {
        Issue.record(error)
      }
      return nil
    }
    await #expect(throws: LibraryError.beingEdited(map: "maine.mmpk", by: nil)) {
      try await bed.library(files: disk).stageCopy(of: source, for: "import-1")
    }
    #expect(isWritten.withLock { $0 })
    #expect(!FileManager.default.fileExists(atPath: staging))
  }

  /// A map on this device, with an edit that was stored.
  private func makeMap() throws -> URL {
    let source = temporaryDirectory.appending(path: "maine")
    try LibraryBed.write(source)
    try Edits.add("mine", to: source.appending(path: LibraryBed.path))
    return source
  }

  @Test
  func `Writes that a killed process left are rolled back in the copy, and the original only read`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = try makeMap()
    let database = source.appending(path: LibraryBed.path)
    try KilledWriter.abandon(database, after: ["DELETE FROM edit"])
    let journal = URL(filePath: database.plainPath + "-journal")
    let before = (try Data(contentsOf: database), try Data(contentsOf: journal))
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    let copied = copy.url.appending(path: LibraryBed.path)
    #expect(try Edits.texts(in: copied) == ["mine"])
    let stored = try #require(copy.files.first { $0.path == LibraryBed.path })
    #expect(try FileStatus(at: copied)?.byteCount == stored.byteCount)
    #expect(!FileSystem.live.exists(URL(filePath: copied.plainPath + "-journal")))
    #expect(try Data(contentsOf: database) == before.0)
    #expect(try Data(contentsOf: journal) == before.1)
  }

  @Test func `Edits that a killed writer left in a log are copied`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = try makeMap()
    let database = source.appending(path: LibraryBed.path)
    let work = temporaryDirectory.appending(path: "work.geodatabase")
    try FileManager.default.moveItem(at: database, to: work)
    let writer = try Connection(at: work, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO edit VALUES ('in the log')")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: work.plainPath + suffix, toPath: database.plainPath + suffix)
    }
    let log = URL(filePath: database.plainPath + "-wal")
    let before = (try Data(contentsOf: database), try Data(contentsOf: log))
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    let copied = copy.url.appending(path: LibraryBed.path)
    for suffix in StoredFile.journalSuffixes {
      #expect(!FileSystem.live.exists(URL(filePath: copied.plainPath + suffix)), "\(suffix)")
    }
    let stored = try #require(copy.files.first { $0.path == LibraryBed.path })
    #expect(try stored.digest == FileDigest.digest(of: copied) { _ in })
    #expect(try Edits.texts(in: copied) == ["mine", "in the log"])
    #expect(try Data(contentsOf: database) == before.0 && Data(contentsOf: log) == before.1)
    #expect(writer.changeCount == 1, "the writer was there all the time")
  }

  @Test func `An open map with a log is not copied`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = try makeMap()
    let writer = try Connection(at: source.appending(path: LibraryBed.path), access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("INSERT INTO edit VALUES ('not sent')")
    await #expect(throws: LibraryError.beingEdited(map: "data.geodatabase", by: "this program")) {
      try await bed.library().stageCopy(of: source, for: "import-1")
    }
    #expect(writer.changeCount == 1, "the writer was there all the time")
    #expect(!FileSystem.live.exists(bed.layout.staging("import-1")))
  }

  @Test(arguments: ["-wal", "-journal"])
  func `A journal without its database is named, and what to do with it`(
    _ suffix: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = temporaryDirectory.appending(path: "maine")
    try LibraryBed.write(source)
    for (database, reason) in [
      ("gone.geodatabase", "there is no \"gone.geodatabase\" that it belongs to"),
      ("tiles.tpkx", "\"tiles.tpkx\" is no database"),
    ] {
      let journal = source.appending(path: "p13/\(database)\(suffix)")
      try Data("edits".utf8).write(to: journal)
      let error = LibraryError.strayJournal(file: journal.lastPathComponent, reason: reason)
      await #expect(throws: error) {
        try await bed.library().stageCopy(of: source, for: "import-1")
      }
      #expect(error.recoverySuggestion?.contains("move it away") == true)
      #expect(!FileSystem.live.exists(bed.layout.staging("import-1")))
      try FileManager.default.removeItem(at: journal)
    }
  }

  @Test func `A file that was written to since it was copied is recorded as it is now`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let copy = try await bed.library().stageCopy(of: try makeMap(), for: "import-1")
    let path = "p13/tiles.tpkx"
    let before = try #require(copy.files.first { $0.path == path })
    let file = copy.url.appending(path: path)
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("other".utf8))
    try handle.close()
    let map = try await bed.library().install(copy.url, as: bed.record(), knowing: copy.files)
    let version = try #require(try await bed.storage.versions(of: map.id).first)
    let now = try #require(version.files.first { $0.path == path })
    #expect(now.byteCount == before.byteCount && now.digest != before.digest)
    #expect(try await bed.audit(bed.library()).findings(.deep).isEmpty)
  }
}
