import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

/// The reported size of files.
@Suite(.temporaryDirectory) struct DiskUsageTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  private func make(_ name: String, bytes: Int) throws {
    try FileSystem.live.createFolder(url(name).deletingLastPathComponent())
    try Data(count: bytes).write(to: url(name))
  }

  @Test func `A file with two names is counted once`() throws {
    try make("one/a", bytes: 5_000)
    try FileSystem.live.createFolder(url("two"))
    try FileManager.default.linkItem(at: url("one/a"), to: url("two/a"))
    #expect(DiskUsage(of: [url("one"), url("two")]).byteCount == 5_000)
    #expect(DiskUsage(of: url("one")).byteCount == 5_000)
  }

  @Test func `Removing frees nothing of a file that bears another name too`() throws {
    try make("one/shared", bytes: 50_000)
    try make("one/own", bytes: 7_000)
    try FileSystem.live.createFolder(url("two"))
    try FileManager.default.linkItem(at: url("one/shared"), to: url("two/shared"))
    #expect(DiskUsage.freed(byRemoving: url("one")).byteCount == 7_000)
    #expect(DiskUsage.freed(byRemoving: url("two")).byteCount == 0)
    try FileManager.default.removeItem(at: url("two/shared"))
    #expect(DiskUsage.freed(byRemoving: url("one")).byteCount == 57_000)
  }

  @Test func `A link takes no space of what it leads to`() throws {
    try make("far/a", bytes: 90_000)
    try FileSystem.live.createFolder(url("near"))
    try FileManager.default.createSymbolicLink(
      at: url("near/link"), withDestinationURL: url("far"))
    #expect(DiskUsage(of: url("near")).byteCount == 0)
    #expect(DiskUsage(of: url("absent")) == DiskUsage())
  }
}
