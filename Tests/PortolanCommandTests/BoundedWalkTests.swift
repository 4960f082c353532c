import Foundation
import PortolanTestSupport
import Testing

/// Commands that are given a folder of very many files, or the root of the disk.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct BoundedWalkTests {
  @Test(arguments: [["open", "F"], ["features", "F", "--layer", "a"], ["convert", "F", "out"]])
  func `A folder of very many files is quickly reported not to be a package`(
    words: [String]
  ) async throws {
    let folder = temporaryDirectory.appending(path: "many", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 1...20_100 {
      let file = folder.appending(path: "\(number)").path(percentEncoded: false)
      try #require(FileManager.default.createFile(atPath: file, contents: nil))
    }
    let paths = [
      "F": folder.path(percentEncoded: false),
      "out": temporaryDirectory.appending(path: "out").path(),
    ]
    let output = try await PortolanProcess.run(
      words.map { paths[$0] ?? $0 }, home: temporaryDirectory)
    #expect(output.status == 1)
    #expect(output.notes.contains("files and folders"))
  }

  @Test func `The root of the disk is listed without what lies deep in it`() async throws {
    let output = try await PortolanProcess.run(
      ["inspect", "/", "--json"], home: temporaryDirectory)
    #expect(output.status == 0)
  }
}
