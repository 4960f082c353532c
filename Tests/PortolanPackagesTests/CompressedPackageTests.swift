import Foundation
import PortolanArchives
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanPackages

/// Parts of archives that have to be decompressed before they can be read.
@Suite(.temporaryDirectory) struct CompressedPackageTests {
  private var url: URL { temporaryDirectory.appending(path: "map.mmpk") }
  private var unpacked: URL { temporaryDirectory.appending(path: "unpacked") }
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func write(_ content: Data) throws {
    var writer = try ZIPWriter(replacing: url)
    try writer.add("p13/data.geodatabase", content, method: .deflated(level: 9))
    try writer.finish()
  }

  private func contents(
    now: Date = Self.now, on disk: FileSystem = .live
  ) throws -> ArchiveContents {
    try ArchiveContents(url, unpackingInto: UnpackedFolders(unpacked, now: now, files: disk))
  }

  /// The folder that a part was decompressed into.
  private func folder(_ part: FileLocation) throws -> URL {
    guard case .file(let file) = part else { throw CocoaError(.fileNoSuchFile) }
    return file.deletingLastPathComponent().deletingLastPathComponent()
  }

  @Test func `A compressed part is decompressed once, and a changed archive again`() throws {
    try write(Data("one".utf8))
    let first = try contents().location(of: "p13/data.geodatabase")
    guard case .file(let file) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(try Data(contentsOf: file) == Data("one".utf8))
    #expect(try contents().location(of: "p13/data.geodatabase") == first)
    try write(Data("another".utf8))
    #expect(try contents().location(of: "p13/data.geodatabase") != first)
  }

  @Test func `A package of the same size that was written again is decompressed again`() throws {
    try write(Data("one".utf8))
    let bytes = try Data(contentsOf: url)
    guard case .file(let first) = try contents().location(of: "p13/data.geodatabase") else {
      return
    }
    try write(Data("two".utf8))
    #expect(try Data(contentsOf: url).count == bytes.count)
    // Written over the other, in the same file.
    let other = try Data(contentsOf: url)
    try write(Data("one".utf8))
    _ = try contents().location(of: "p13/data.geodatabase")
    let handle = try FileHandle(forWritingTo: url)
    try handle.write(contentsOf: other)
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 7)], ofItemAtPath: url.path)
    guard case .file(let second) = try contents().location(of: "p13/data.geodatabase") else {
      Issue.record("it is not decompressed")
      return
    }
    #expect(second != first)
    #expect(try Data(contentsOf: second) == Data("two".utf8))
  }

  @Test func `A folder that cannot be written is named, and the package not called damaged`() throws
  {
    try write(Data("one".utf8))
    try Data().write(to: unpacked)
    let error = #expect(throws: PackageError.self) {
      try contents().location(of: "p13/data.geodatabase")
    }
    guard case .unreadable("map.mmpk", let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(unpacked.path))
  }

  @Test func `A bomb is refused before anything is written`() throws {
    try write(Data(count: 260 << 20))
    #expect(throws: PackageError.self) { try contents().location(of: "p13/data.geodatabase") }
    #expect(!FileSystem.live.exists(unpacked))
  }

  @Test func `Parts unused for a week are removed when another part is decompressed`() throws {
    try write(Data("one".utf8))
    let open = try contents()
    _ = try open.location(of: "p13/data.geodatabase")
    try write(Data("two".utf8))
    _ = try contents().location(of: "p13/data.geodatabase")
    #expect(try FolderListing(of: unpacked).items.count == 2)
    try write(Data("three".utf8))
    let later = Self.now.addingTimeInterval(8 * 24 * 3_600)
    _ = try contents(now: later).location(of: "p13/data.geodatabase")
    // The first is still open.
    #expect(try FolderListing(of: unpacked).items.count == 2)
    withExtendedLifetime(open) {}
  }

  @Test(arguments: [(6.99, true), (7.01, false)])
  func `Decompressed parts are kept for a week after their last use, for their owner only`(
    _ days: Double, _ isKept: Bool
  ) throws {
    try write(Data("one".utf8))
    guard case .file(let first) = try contents().location(of: "p13/data.geodatabase") else {
      Issue.record("it is not decompressed")
      return
    }
    let folder = first.deletingLastPathComponent().deletingLastPathComponent()
    for made in [unpacked, folder, first.deletingLastPathComponent()] {
      #expect(try FileStatus(at: made)?.permissions == 0o700)
    }
    let used = Self.now.addingTimeInterval(3 * 24 * 3_600)
    _ = try contents(now: used).location(of: "p13/data.geodatabase")
    try write(Data("another".utf8))
    let later = used.addingTimeInterval(days * 24 * 3_600)
    _ = try contents(now: later).location(of: "p13/data.geodatabase")
    #expect(FileSystem.live.exists(first) == isKept)
    #expect(FileSystem.live.exists(folder) == isKept)
  }

  @Test func `Parts that are being read are not removed, however long ago they were decompressed`()
    throws
  {
    try write(Data("one".utf8))
    guard case .file(let used) = try contents().location(of: "p13/data.geodatabase") else { return }
    // Whoever finds it decompressed keeps it, as does who decompressed it.
    let reader = try contents()
    _ = try reader.location(of: "p13/data.geodatabase")
    try write(Data("another".utf8))
    let later = Self.now.addingTimeInterval(30 * 24 * 3_600)
    let other = try contents(now: later)
    _ = try other.location(of: "p13/data.geodatabase")
    #expect(FileSystem.live.exists(used))
    withExtendedLifetime(reader) {}
  }

  @Test func `A folder that is removed before it is locked is made again, and stays`() throws {
    try write(Data("one".utf8))
    let part = try contents().location(of: "p13/data.geodatabase")
    let isRemoved = Mutex(false)
    // Another process removes it while it is open and not locked yet.
    let disk = FileSystem { call in
      guard case .lock(let path) = call else { return nil }
      let isFirst = isRemoved.withLock { wasRemoved in
        defer { wasRemoved = true }
        return !wasRemoved
      }
      if isFirst { try? FileManager.default.removeItem(atPath: path) }
      return nil
    }
    let reader = try contents(on: disk)
    #expect(try reader.location(of: "p13/data.geodatabase") == part)
    let folder = try folder(part)
    #expect(
      try Data(contentsOf: folder.appending(path: "p13/data.geodatabase")) == Data("one".utf8))
    let lock = try FileLock.attempt(.exclusive, on: .item(folder))
    #expect(lock == nil, "nobody can remove it")
    withExtendedLifetime(reader) {}
  }

  @Test func `Parts used since they were examined are not removed`() throws {
    try write(Data("one".utf8))
    let folder = try folder(try contents().location(of: "p13/data.geodatabase"))
    try write(Data("another".utf8))
    let later = Self.now.addingTimeInterval(8 * 24 * 3_600)
    let path = folder.plainPath
    // Another process uses it and is done before this one has locked it.
    let disk = FileSystem { call in
      if call == .lock(path) {
        try? FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: path)
      }
      return nil
    }
    _ = try contents(now: later, on: disk).location(of: "p13/data.geodatabase")
    #expect(FileSystem.live.exists(folder.appending(path: "p13/data.geodatabase")))
  }

  @Test func `A removed file is renamed first, and deleted the next time at the latest`() throws {
    try write(Data("one".utf8))
    let folder = try folder(try contents().location(of: "p13/data.geodatabase"))
    let removed = URL(filePath: folder.plainPath + ".removed")
    try write(Data("another".utf8))
    let later = Self.now.addingTimeInterval(8 * 24 * 3_600)
    // The process dies with it half removed.
    let path = removed.plainPath
    let disk = FileSystem { call in
      if case .remove(let item) = call, item.hasPrefix(path) { 5 } else { nil }
    }
    _ = try contents(now: later, on: disk).location(of: "p13/data.geodatabase")
    #expect(!FileSystem.live.exists(folder) && FileSystem.live.exists(removed))
    try write(Data("third".utf8))
    let last = later.addingTimeInterval(8 * 24 * 3_600)
    _ = try contents(now: last).location(of: "p13/data.geodatabase")
    #expect(!FileSystem.live.exists(removed))
  }

  @Test func `A folder that is removed under its other name blocks no one`() throws {
    try write(Data("one".utf8))
    let removed = URL(
      filePath: try folder(try contents().location(of: "p13/data.geodatabase")).plainPath
        + ".removed")
    try write(Data("another".utf8))
    let isFree = Mutex<Bool?>(nil)
    let disk = FileSystem { call in
      guard case .remove(let item) = call, item.hasPrefix(removed.plainPath) else { return nil }
      // A folder that cannot be looked at is not free.
      let lock = try? FileLock.attempt(.shared, on: .item(removed))
      isFree.withLock { $0 = $0 ?? (lock != nil) }
      return nil
    }
    let later = Self.now.addingTimeInterval(8 * 24 * 3_600)
    _ = try contents(now: later, on: disk).location(of: "p13/data.geodatabase")
    #expect(isFree.withLock { $0 } == true)
    #expect(!FileSystem.live.exists(removed))
  }

  @Test func `A folder is a package if a document that describes one lies directly in it`() throws {
    #expect(throws: PackageError.self) { try FolderContents.isPackage(url) }
    #expect(try !FolderContents.isPackage(temporaryDirectory))
    try Data("{}".utf8).write(to: temporaryDirectory.appending(path: "Package.INFO"))
    #expect(try FolderContents.isPackage(temporaryDirectory))
  }

  @Test(.needsMounting) func `Data that do not fit on the disk are not decompressed`() throws {
    let disk = try SmallDisk(at: unpacked, megabytes: 8)
    try write(Data(count: 10 << 20))
    let error = #expect(throws: PackageError.self) {
      try contents().location(of: "p13/data.geodatabase")
    }
    guard case .noSpace("map.mmpk", needed: 10 << 20, available: _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(disk.url == unpacked, "it is mounted all the time")
  }

  @Test(.needsMounting) func `Decompressed parts are used on a full disk too`() throws {
    let disk = try SmallDisk(at: unpacked, megabytes: 20)
    try write(Data(count: 1 << 20))
    let place = try contents().location(of: "p13/data.geodatabase")
    try Data(count: 12 << 20).write(to: disk.url.appending(path: "filling"))
    #expect(try contents().location(of: "p13/data.geodatabase") == place)
  }
}
