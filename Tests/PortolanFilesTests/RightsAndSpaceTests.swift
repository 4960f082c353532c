import Foundation
import Glibc
import PortolanTestSupport
import Testing

@testable import PortolanFiles

/// The permissions of a folder, and the space there is for whom.
@Suite(.temporaryDirectory) struct RightsAndSpaceTests {
  @Test(arguments: [0o775, 0o777])
  func `A folder that replaces another one gets its rights, whatever a new one would get`(
    _ mode: Int
  ) throws {
    let target = temporaryDirectory.appending(path: "map")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: target.path)
    var folder = try StagedFolder(target)
    var file = try folder.file(at: "a")
    try file.write(Data("x".utf8))
    try file.commit()
    try folder.commit()
    #expect(try FileStatus(at: target)?.permissions == UInt32(mode))
    #expect(try FileSystem.live.names(in: target) == ["a"])
  }

  @Test func `Free is what people may fill, and not what the system keeps for itself`() throws {
    func available(_ path: String) throws -> Int {
      var status = statvfs()
      let code = unsafe statvfs(path, &status)
      try #require(code == 0)
      return Int(status.f_bavail) * Int(status.f_frsize)
    }
    // Others write to the disk meanwhile.
    let others = 256 << 20
    for path in ["/", temporaryDirectory.path] {
      let (before, after) = (try available(path), try available(path))
      let told = try #require(FreeSpace.byteCount(at: URL(filePath: path)))
      #expect(told > min(before, after) - others && told < max(before, after) + others, "\(path)")
    }
  }
}
