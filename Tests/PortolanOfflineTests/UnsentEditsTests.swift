import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanOffline

@Suite(.temporaryDirectory) struct UnsentEditsTests {
  private func folder() throws -> URL {
    let folder = temporaryDirectory.appending(path: "map", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13"), withIntermediateDirectories: true)
    return folder
  }

  @Test func `A map without geodatabases has no edits`() async throws {
    let folder = try folder()
    try Data("{}".utf8).write(to: folder.appending(path: "p13/mobile_map.mmap"))
    #expect(try await UnsentEdits.count(in: folder) == 0)
    #expect(try await UnsentEdits.count(in: folder.appending(path: "p13/mobile_map.mmap")) == 0)
  }

  @Test(arguments: ["data.geodatabase", "DATA.GEODATABASE"])
  func `A geodatabase that cannot be read may hold edits`(_ name: String) async throws {
    let folder = try folder()
    try Data("this is no database".utf8).write(to: folder.appending(path: "p13/\(name)"))
    await #expect(throws: (any Error).self) { try await UnsentEdits.count(in: folder) }
  }

  @Test func `A map that is gone is not taken for one without edits`() async throws {
    let gone = temporaryDirectory.appending(path: "gone")
    await #expect(throws: (any Error).self) { try await UnsentEdits.count(in: gone) }
  }
}
