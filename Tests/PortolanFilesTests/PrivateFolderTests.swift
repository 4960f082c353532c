import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanFiles

@Suite(.temporaryDirectory) struct PrivateFolderTests {
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
  }

  @Test func `A private folder is closed to others, and goes with its last reference`() throws {
    var folder: PrivateFolder? = try PrivateFolder(in: temporaryDirectory)
    let url = try #require(folder?.url)
    #expect(try FileStatus(at: url)?.permissions == 0o700)
    try Data("copy".utf8).write(to: url.appending(path: "data.sqlite"))
    folder = nil
    #expect(try names() == [])
  }

  @Test func `A folder that a process left which died is removed by the next, one in use is not`()
    throws
  {
    let used = try PrivateFolder(in: temporaryDirectory)
    let left = temporaryDirectory.appending(path: ".portolan-7.part")
    try FileSystem.live.createFolder(left)
    for folder in [used.url, left] {
      // A new folder may be about to be locked; a minute later it is not.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: folder.path)
    }
    let next = try PrivateFolder(in: temporaryDirectory)
    #expect(
      try names().sorted()
        == [used.url.lastPathComponent, next.url.lastPathComponent].sorted())
  }
}
