import Foundation
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Copies of databases that another program writes to meanwhile.
@Suite(.temporaryDirectory) struct CopyBesideWriterTests {
  private func makeFolder() throws -> URL {
    let folder = temporaryDirectory.appending(path: "copy", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test(arguments: LibraryBed.editablePaths)
  func `What another program commits as a copy begins is in it whole`(
    _ path: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory, path: path)
    let map = try await bed.install(in: bed.library())
    let (source, folder) = (bed.geodatabase(of: map), try makeFolder())
    let writer = try Connection(at: source, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    var carried = CarriedGeodatabases(version: map.version)
    var count = 0
    try carried.carry(path, from: bed.layout.place(of: map), to: folder) {
      count += 1
      guard count == 1 else { return }
      do { try writer.execute("INSERT INTO edit VALUES ('late')") } catch { Issue.record(error) }
    }
    #expect(count == 2, "it is begun again")
    #expect(try Edits.texts(in: folder.appending(path: path)) == ["late"])
    let copied = try #require(carried.geodatabase(at: path, in: folder))
    #expect(try GeodatabaseState(of: source).isUnchanged(since: copied.source))
    #expect(writer.changeCount == 1, "it was open all the time")
  }

  @Test func `A database that is written to all the time is not copied, and the copy before stays`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let (source, folder) = (bed.geodatabase(of: map), try makeFolder())
    let writer = try Connection(at: source, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = WAL")
    var carried = CarriedGeodatabases(version: map.version)
    let place = bed.layout.place(of: map)
    try carried.carry(LibraryBed.path, from: place, to: folder)
    do throws(LibraryError) {
      try carried.carry(LibraryBed.path, from: place, to: folder) {
        do { try writer.execute("INSERT INTO edit VALUES ('more')") } catch { Issue.record(error) }
      }
      Issue.record("it was copied")
    } catch {
      #expect(error == CarriedGeodatabases.isWritten(source))
    }
    #expect(try Edits.texts(in: folder.appending(path: LibraryBed.path)).isEmpty)
    #expect(carried.geodatabase(at: LibraryBed.path, in: folder) != nil)
  }
}
