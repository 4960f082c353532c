import Foundation
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// What happens to a package of this device while it is copied in.
@Suite(.temporaryDirectory) struct StagedCopyTests {
  private static let bytes = Data(repeating: 7, count: 3 << 20)

  private func makeSource() throws -> URL {
    let url = temporaryDirectory.appending(path: "maine.mmpk")
    try Self.bytes.write(to: url)
    return url
  }

  @Test func `A copy has the bytes of the original and their digest`() async throws {
    let source = try makeSource()
    let bed = try await LibraryBed(in: temporaryDirectory)
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    #expect(try Data(contentsOf: copy.url) == Self.bytes)
    #expect(try Data(contentsOf: source) == Self.bytes)
    #expect(copy.files.map(\.byteCount) == [Self.bytes.count])
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

  @Test(arguments: ["-wal", "-journal"])
  func `A map with edits that stand in a journal is not copied without them`(
    _ suffix: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let source = temporaryDirectory.appending(path: "maine")
    try LibraryBed.write(source)
    let journal = "data.geodatabase\(suffix)"
    try Data("edits".utf8).write(to: source.appending(path: "p13/\(journal)"))
    await #expect(throws: LibraryError.beingEdited(map: journal, by: nil)) {
      try await bed.library().stageCopy(of: source, for: "import-1")
    }
    #expect(!FileSystem.live.exists(bed.layout.staging("import-1")))
  }
}
