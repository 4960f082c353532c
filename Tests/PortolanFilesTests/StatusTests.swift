import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Testing

/// The status of files and folders without reading them.
@Suite(.temporaryDirectory) struct StatusTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  private func setMode(_ mode: mode_t, of name: String) {
    #expect(chmod(url(name).path, mode) == 0)
  }

  @Test func `A file is listed with its size, dates, names, owner and permissions`() throws {
    try Data(count: 3).write(to: url("file"))
    try FileManager.default.linkItem(at: url("file"), to: url("other"))
    setMode(0o640, of: "file")
    let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 7)]
    try #require(utimensat(AT_FDCWD, url("file").path, times, 0) == 0)
    var system = stat()
    try #require(stat(url("file").path, &system) == 0)
    let status = try #require(try FileStatus(at: url("file")))
    #expect(status.kind == .file && status.byteCount == 3 && status.nameCount == 2)
    #expect(status.permissions == 0o640 && status.owner == getuid())
    #expect(status.modified == 5_000_000_007)
    let (seconds, nanoseconds) = (Int64(system.st_ctim.tv_sec), Int64(system.st_ctim.tv_nsec))
    #expect(status.changed == seconds * 1_000_000_000 + nanoseconds)
    #expect(status.allocatedByteCount == Int(system.st_blocks) * 512)
    #expect(
      status.identity
        == FileIdentity(device: UInt64(system.st_dev), number: UInt64(system.st_ino)))
    #expect(
      status.stamp
        == FileStamp(
          size: 3, number: UInt64(system.st_ino), modified: 5_000_000_007, changed: status.changed))
    #expect(try FileStatus(at: url("other")) == status)
  }

  @Test func `The status of a link is its own or that of its target`() throws {
    try FileManager.default.createDirectory(at: url("folder"), withIntermediateDirectories: false)
    for (name, target) in [("to", "folder"), ("nowhere", "absent")] {
      try FileManager.default.createSymbolicLink(at: url(name), withDestinationURL: url(target))
    }
    #expect(try FileStatus(at: url("to"))?.kind == .link)
    #expect(try FileStatus(at: url("to"))?.byteCount == 0)
    #expect(
      try FileStatus(at: url("to"), links: .followed)?.identity
        == FileStatus(at: url("folder"))?.identity)
    #expect(try FileStatus(at: url("folder"))?.byteCount == 0)
    #expect(try FileStatus(at: url("nowhere"))?.kind == .link)
    #expect(try FileStatus(at: url("nowhere"), links: .followed) == nil)
    try FileManager.default.createSymbolicLink(
      at: url("circle"), withDestinationURL: url("circle"))
    #expect(try FileStatus(at: url("circle"), links: .followed) == nil)
    // Nothing lies below a file either.
    try Data().write(to: url("file"))
    #expect(try FileStatus(at: url("file/below")) == nil)
  }

  @Test func `A listing shows what links lead to, and nothing that is hidden or not there`() throws
  {
    try Data(count: 3).write(to: url("b"))
    try Data(count: 3).write(to: url(".hidden"))
    try FileManager.default.createDirectory(at: url("folder"), withIntermediateDirectories: false)
    for (name, target) in [("a", "folder"), ("c", "absent"), ("d", "b")] {
      try FileManager.default.createSymbolicLink(at: url(name), withDestinationURL: url(target))
    }
    let items = try FolderListing(of: temporaryDirectory).items
    #expect(items.map(\.name) == ["a", "b", "d", "folder"])
    #expect(items.map(\.isFolder) == [true, false, false, true])
    #expect(items[0].stamp == items[3].stamp && items[1].stamp == items[2].stamp)
    #expect(throws: FileError.absent(file: url("absent").path)) {
      try FolderListing(of: url("absent"))
    }
  }

  @Test func `No permission to edit is granted for a read-only file`() throws {
    try Data().write(to: url("file"))
    try FileManager.default.createDirectory(at: url("folder"), withIntermediateDirectories: false)
    var granted: [Bool] = []
    for (file, folder) in [(0o644, 0o755), (0o444, 0o555), (0o200, 0o300)] as [(mode_t, mode_t)] {
      setMode(file, of: "file")
      setMode(folder, of: "folder")
      granted.append(WritePermission.isGranted(forFile: url("file")))
      granted.append(WritePermission.isGranted(forFolder: url("folder")))
    }
    // It is removed after the test.
    setMode(0o755, of: "folder")
    #expect(granted == [true, true, false, false, true, true])
    #expect(!WritePermission.isGranted(forFile: url("absent")))
    #expect(!WritePermission.isGranted(forFolder: url("absent")))
  }

  @Test(.needsMounting) func `Nothing is granted on a medium that can only be read`() throws {
    let medium = try ReadOnlyMedium(at: url("medium")) { folder in
      try Data().write(to: folder.appending(path: "file"))
    }
    #expect(!WritePermission.isGranted(forFile: medium.url.appending(path: "file")))
    #expect(!WritePermission.isGranted(forFolder: medium.url))
  }

  @Test func `A missing location reports no free space`() throws {
    #expect(FreeSpace.byteCount(at: url("absent")) == nil)
    let free = try #require(FreeSpace.byteCount(at: temporaryDirectory))
    #expect(free > 0)
  }

  @Test func `The space on the disk is that of files and folders, each once`() throws {
    try FileManager.default.createDirectory(at: url("one"), withIntermediateDirectories: false)
    try Data(count: 5_000).write(to: url("one/own"))
    try Data(count: 9_000).write(to: url("one/shared"))
    try FileManager.default.linkItem(at: url("one/shared"), to: url("one/again"))
    func allocated(_ names: String...) throws -> Int {
      try names.reduce(0) { try $0 + (FileStatus(at: url($1))?.allocatedByteCount ?? 0) }
    }
    #expect(
      try DiskUsage(of: url("one")).allocatedByteCount == allocated("one", "one/own", "one/shared"))
    #expect(
      try DiskUsage.freed(byRemoving: url("one")).allocatedByteCount == allocated("one", "one/own"))
  }
}
