import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// By what the files of a map are told from what they were, and what their faults are called.
@Suite(.temporaryDirectory) struct FileStateTests {
  private var database: URL { temporaryDirectory.appending(path: "a.gpkg") }

  private func beside(_ ending: String) -> URL { URL(filePath: database.plainPath + ending) }

  private func state() throws -> GeodatabaseState { try GeodatabaseState(of: database) }

  @Test func `A database has changed with its file, and with what is beside it`() throws {
    try Data("one".utf8).write(to: database)
    try Data("<xml/>".utf8).write(to: beside(".aux.xml"))
    let first = try state()
    #expect(try state().isUnchanged(since: first) && !first.hasJournal)
    #expect(!first.isUnchanged(since: nil))
    // None of these says anything: an index, an empty journal, a file that only begins alike.
    for (ending, text) in [("-shm", "index"), ("-wal", ""), ("-journal", ""), ("s", "other")] {
      try Data(text.utf8).write(to: beside(ending))
      #expect(try state() == first, "\(ending)")
    }
    try Data("edits".utf8).write(to: beside("-wal"))
    let logged = try state()
    #expect(logged.hasJournal && !logged.isUnchanged(since: first))
    // A journal that is gone says nothing as long as the file is the same.
    try FileManager.default.removeItem(at: beside("-wal"))
    #expect(try state().isUnchanged(since: logged) && state() == first)
    try FileManager.default.removeItem(at: beside(".aux.xml"))
    #expect(try !state().isUnchanged(since: first) && !state().isUnchanged(since: logged))
  }

  @Test func `A database that is a link to a file elsewhere always counts as changed`() throws {
    let elsewhere = temporaryDirectory.appending(path: "elsewhere")
    try Data("one".utf8).write(to: elsewhere)
    try FileManager.default.createSymbolicLink(at: database, withDestinationURL: elsewhere)
    let first = try state()
    #expect(try !state().isUnchanged(since: first))
  }

  @Test func `A database has changed if its size has, or its date`() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    func write(_ text: String, _ date: Date) throws {
      try Data(text.utf8).write(to: database)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: database.path)
    }
    try write("one", date)
    let first = try state()
    try write("two", date + 1)
    #expect(try !state().isUnchanged(since: first))
    try write("three", date)
    #expect(try !state().isUnchanged(since: first))
    try write("six", date)
    #expect(try state().isUnchanged(since: first), "nothing tells them apart")
    try FileManager.default.removeItem(at: database)
    #expect(try !state().isUnchanged(since: first))
  }

  @Test func `A database has changed if something was committed to it, whatever its date says`()
    throws
  {
    func setDate() throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: database.path)
    }
    try Edits.makeDatabase(at: database)
    try setDate()
    let (first, size) = (try state(), try FileStatus(at: database)?.byteCount)
    #expect(try Edits.texts(in: database).isEmpty)
    #expect(try state().isUnchanged(since: first))
    try Edits.add("mine", to: database)
    try setDate()
    #expect(try FileStatus(at: database)?.byteCount == size, "it is as long as before")
    #expect(try !state().isUnchanged(since: first))
  }

  @Test func `A record from before transactions were counted is compared by size and date`() throws
  {
    try Edits.makeDatabase(at: database)
    let counted = try JSONSerialization.jsonObject(with: JSONEncoder().encode(state()))
    let record = try #require(counted as? [String: [[String: Any]]])
    let files = try #require(record["files"])
    #expect(files.allSatisfy { $0["counter"] != nil })
    let older = try JSONDecoder().decode(
      GeodatabaseState.self,
      from: JSONSerialization.data(
        withJSONObject: ["files": files.map { $0.filter { $0.key != "counter" } }]))
    #expect(try older != state())
    #expect(try state().isUnchanged(since: older), "an older Portolan has recorded it")
    try Edits.add("mine", to: database)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: database.path)
    #expect(try !state().isUnchanged(since: older))
  }

  @Test func `Known digests are reused for files of that size and date only`()
    async throws
  {
    let names = ["a.txt", "p13/b.txt", "c.gpkg-wal", ".hidden", "p13/.hidden"]
    for name in names {
      let file = temporaryDirectory.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(name.utf8).write(to: file)
    }
    try FileManager.default.createSymbolicLink(
      at: temporaryDirectory.appending(path: "link.txt"),
      withDestinationURL: temporaryDirectory.appending(path: "a.txt"))
    let found = try await StoredFile.list(of: temporaryDirectory)
    #expect(found.map(\.path) == ["a.txt", "p13/b.txt"] && found.map(\.byteCount) == [5, 9])
    #expect(found.allSatisfy { $0.digest?.count == 32 })
    let bare = try await StoredFile.list(of: temporaryDirectory, reading: .none)
    #expect(bare.map(\.digest) == [nil, nil] && bare.map(\.modified) == found.map(\.modified))
    let file = found[0]
    func list(knowing known: StoredFile) async throws -> [StoredFile] {
      try await StoredFile.list(of: temporaryDirectory, reading: .digests(knowing: [known]))
    }
    func known(_ path: String, _ byteCount: Int, _ modified: Int64, _ digest: Data?) -> StoredFile {
      StoredFile(path: path, byteCount: byteCount, modified: modified, digest: digest)
    }
    let other = Data(repeating: 1, count: 32)
    let same = known("a.txt", file.byteCount, file.modified, other)
    #expect(try await list(knowing: same) == [same, found[1]], "it is not read again")
    for changed in [
      known("a.txt", file.byteCount + 1, file.modified, other),
      known("a.txt", file.byteCount, file.modified - 1, other),
      known("a.txt", file.byteCount, file.modified, nil),
      known("b.txt", file.byteCount, file.modified, other),
    ] {
      #expect(try await list(knowing: changed) == found)
    }
  }

  @Test func `The parts of a map are its files with data, in any letters`() throws {
    let names = [
      "a.GEODATABASE", "b.gpkg", "p13/c.tpk", "p13/d.TPKX", "e.vtpk", "f.mmap", "g.info",
      "h.gpkg-wal",
    ]
    for name in names {
      let file = temporaryDirectory.appending(path: "map/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    let map = temporaryDirectory.appending(path: "map")
    let parts = MapParts(of: map).urls.map(\.lastPathComponent).sorted()
    #expect(parts == ["a.GEODATABASE", "b.gpkg", "c.tpk", "d.TPKX", "e.vtpk"])
    #expect(MapParts(of: map.appending(path: "b.gpkg")).urls.isEmpty)
    #expect(MapParts(of: map.appending(path: "gone")).urls.isEmpty)
  }

  // MARK: - Faults

  private static let faults: [(FileError, LibraryError, LibraryError)] = [
    (.cancelled, .cancelled, .cancelled),
    (.diskFull(file: "a"), .diskFull(file: "a"), unreadable("the disk is full")),
    (
      .readOnly(file: "a"), .readOnlyHome(file: "a", reason: "the medium can only be read"),
      unreadable("the medium can only be read")
    ),
    (.unreadable(file: "a", reason: "no"), unreadable("no"), unreadable("no")),
    (
      .notAFile(file: "a", kind: .pipe), unreadable("it is a named pipe, not a file"),
      unreadable("it is a named pipe, not a file")
    ),
    (
      .truncated(file: "a", offset: 7), unreadable("it ends before byte 7"),
      unreadable("it ends before byte 7")
    ),
    (
      .durabilityUnknown(file: "a", reason: "no"), .durabilityUnknown(file: "a", reason: "no"),
      unreadable("it is in place, but the disk did not confirm it: no")
    ),
    (.unwritable(file: "a", reason: "no"), unwritable("no"), unreadable("no")),
    (.absent(file: "a"), unwritable("it is not there"), unreadable("it is not there")),
    (
      .alreadyExists(file: "a"), unwritable("something is there already"),
      unreadable("something is there already")
    ),
    (
      .inUse(file: "a", holder: nil), unwritable("it is being written already"),
      unreadable("it is being written already")
    ),
  ]

  private static func unreadable(_ reason: String) -> LibraryError {
    .unreadable(file: "a", reason: reason)
  }

  private static func unwritable(_ reason: String) -> LibraryError {
    .unwritable(file: "a", reason: reason)
  }

  @Test(arguments: faults)
  func `A fault of a file is one of the library, by what was to be done with it`(
    _ fault: FileError, _ written: LibraryError, _ read: LibraryError
  ) {
    #expect(LibraryError(fault) == written)
    #expect(LibraryError(reading: fault) == read)
  }

  @Test func `A command that waits for another process, or proceeds beside it, names it`() {
    #expect(
      HomeLockNotice.waits(holder: "process 7").sentence
        == "Waiting for process 7, which is changing what is stored here.")
    #expect(
      HomeLockNotice.waits(holder: nil).sentence
        == "Waiting for another process, which is changing what is stored here.")
    #expect(
      HomeLockNotice.goesOn(holder: "process 7").sentence
        == "Process 7 is changing what is stored here; what it does may not be listed yet.")
    #expect(
      HomeLockNotice.goesOn(holder: nil).sentence
        == "Another process is changing what is stored here; what it does may not be listed yet.")
  }
}
