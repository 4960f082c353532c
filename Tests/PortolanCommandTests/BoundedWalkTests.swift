import Foundation
import PortolanTestSupport
import Testing

/// Commands that are given the root of the disk, which holds millions of files.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct BoundedWalkTests {
  @Test(arguments: [["open", "/"], ["features", "/", "--layer", "a"], ["convert", "/", "out"]])
  func `The root of the disk is no package, which is said soon`(words: [String]) async throws {
    let words = words.map { $0 == "out" ? temporaryDirectory.appending(path: $0).path() : $0 }
    let output = try await PortolanProcess.run(words, home: temporaryDirectory)
    #expect(output.status == 1)
    #expect(output.notes.contains("files and folders"))
  }

  @Test func `The root of the disk is listed without what lies deep in it`() async throws {
    let output = try await PortolanProcess.run(
      ["inspect", "/", "--json"], home: temporaryDirectory)
    #expect(output.status == 0)
  }
}
