import Foundation
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// Databases of a folder that is copied in, with the journals beside them.
@Suite(.temporaryDirectory) struct StagedDatabaseTests {
  private func makeAbandoned() throws -> URL {
    let source = temporaryDirectory.appending(path: "maine")
    try LibraryBed.write(source)
    try Edits.add("mine", to: source.appending(path: LibraryBed.path))
    try KilledWriter.abandon(
      source.appending(path: LibraryBed.path), after: ["DELETE FROM edit"])
    return source
  }

  @Test func `A database that was rolled back as it was copied is recorded as it is then`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = try makeAbandoned()
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    for file in copy.files {
      let now = try FileDigest.digest(of: copy.url.appending(path: file.path)) { _ in }
      #expect(file.digest == now, "\(file.path)")
    }
  }

  @Test func `A database that is written while its journal is copied is refused`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = try makeAbandoned()
    let database = source.appending(path: LibraryBed.path)
    let isWritten = Mutex(false)
    let disk = FileSystem { call in
      guard case .write(let path) = call, path.contains("/import-1/"),
        FileSystem.live.exists(
          bed.layout.staging("import-1").appending(path: LibraryBed.path)),
        !isWritten.withLock({ $0 })
      else { return nil }
      isWritten.withLock { $0 = true }
      do {
        let handle = try FileHandle(forWritingTo: database)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(count: 4_096))
        try handle.close()
      } catch {
        Issue.record(error)
      }
      return nil
    }
    await #expect(throws: LibraryError.beingEdited(map: "data.geodatabase", by: nil)) {
      try await bed.library(files: disk).stageCopy(of: source, for: "import-1")
    }
    #expect(isWritten.withLock { $0 })
    #expect(!FileSystem.live.exists(bed.layout.staging("import-1")))
  }

  @Test func `A database whose journal cannot be copied is not copied without it`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = temporaryDirectory.appending(path: "maine")
    try LibraryBed.write(source)
    let database = source.appending(path: LibraryBed.path)
    var bytes = try Data(contentsOf: database)
    bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
    try bytes.write(to: database)
    let journal = URL(filePath: database.plainPath + "-wal")
    try Data("edits".utf8).write(to: journal)
    await #expect {
      try await bed.library().stageCopy(of: source, for: "import-1")
    } throws: { error in
      guard case LibraryError.strayJournal("data.geodatabase-wal", let reason) = error else {
        return false
      }
      return reason.contains("cannot be taken over")
    }
    #expect(try Data(contentsOf: journal) == Data("edits".utf8))
    #expect(!FileSystem.live.exists(bed.layout.staging("import-1")))
  }
}
