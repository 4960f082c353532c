import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanFiles

/// The properties that distinguish files from their copies.
@Suite(.temporaryDirectory) struct FileOriginTests {
  private func origin(_ url: URL) throws -> String {
    FileOrigin.text(of: url, try #require(try FileStatus(at: url)))
  }

  @Test func `A file stays itself under another name, and its copy is another`() throws {
    let (file, copy, renamed) = (
      temporaryDirectory.appending(path: "file"), temporaryDirectory.appending(path: "copy"),
      temporaryDirectory.appending(path: "renamed")
    )
    try Data("a".utf8).write(to: file)
    let before = try origin(file)
    try Data("a".utf8).write(to: copy)
    #expect(try origin(copy) != before)
    try FileManager.default.moveItem(at: file, to: renamed)
    #expect(try origin(renamed) == before)
  }

  @Test(
    arguments: [(true, 900, "7"), (false, 900, "@900"), (false, -1, "7"), (true, -1, "7")]
      as [(Bool, Int64, String)])
  func `A file whose number changes with each mount is known by when it was created`(
    _ isKept: Bool, _ created: Int64, _ text: String
  ) {
    #expect(FileOrigin.text(7, isKept: isKept, created: created) == text)
  }
}
