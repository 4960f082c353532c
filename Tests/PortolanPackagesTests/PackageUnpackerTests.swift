import Foundation
import Glibc
import PortolanArchives
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanPackages

/// Packages that become folders.
@Suite(.temporaryDirectory) struct PackageUnpackerTests {
  private var url: URL { temporaryDirectory.appending(path: "map.mmpk") }
  private var folder: URL { temporaryDirectory.appending(path: "map") }

  private func write(_ names: String...) throws {
    var writer = try ZIPWriter(replacing: url)
    for name in names { try writer.add(name, Data(name.utf8), method: .deflated(level: 9)) }
    try writer.finish()
  }

  private func paths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: temporaryDirectory.path()).sorted()
  }

  @Test func `All files are there, with what is in them`() async throws {
    try write("mobile_map.info", "p13/a.mmap", "p13/data.geodatabase")
    let result = try await PackageUnpacker().unpack(url, to: folder)
    #expect(result == .init(fileCount: 3, byteCount: 45))
    for name in ["mobile_map.info", "p13/a.mmap", "p13/data.geodatabase"] {
      #expect(try Data(contentsOf: folder.appending(path: name)) == Data(name.utf8))
    }
  }

  @Test func `An empty folder is filled, and one with something in it is left alone`() async throws
  {
    try write("mobile_map.info")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try await PackageUnpacker().unpack(url, to: folder)
    let path = folder.path(percentEncoded: false)
    await #expect(throws: FileError.alreadyExists(file: path)) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    #expect(try paths() == ["map", "map.mmpk", "map/mobile_map.info"])
  }

  @Test func `A file that is no package is not unpacked`() async throws {
    try write("notes.txt")
    let reason = "it has no map in it"
    await #expect(throws: PackageError.notAPackage(file: "map.mmpk", reason: reason)) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    #expect(try paths() == ["map.mmpk"])
  }

  @Test func `A package that is damaged, or leads elsewhere, leaves nothing`() async throws {
    try write("mobile_map.info", "p13/data.geodatabase")
    let whole = try Data(contentsOf: url)
    var cut = whole
    let name = try #require(whole.range(of: Data("p13/data".utf8)))
    cut[name.upperBound + 14] ^= 0xFF
    try cut.write(to: url)
    await #expect(throws: PackageError.self) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    var hostile = whole
    while let found = hostile.range(of: Data("p13/data".utf8)) {
      hostile.replaceSubrange(found, with: Data("../../da".utf8))
    }
    try hostile.write(to: url)
    await #expect(throws: PackageError.self) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    #expect(try paths() == ["map.mmpk"])
  }

  @Test func `A file that cannot be written is reported by the name that the user gave`()
    async throws
  {
    try write("mobile_map.info", "p13/data.geodatabase")
    let file = folder.appending(path: "p13/data.geodatabase").path(percentEncoded: false)
    let full = FileSystemRecorder(failing: 1..<2, code: ENOSPC) {
      if case .write = $0 { true } else { false }
    }
    await #expect(throws: FileError.diskFull(file: file)) {
      try await PackageUnpacker(in: full.fileSystem) { _ in nil }.unpack(url, to: folder)
    }
    let closed = FileSystemRecorder(failing: 1..<2, code: EACCES) {
      if case .makeFolder = $0 { true } else { false }
    }
    let part = folder.appending(path: "p13").path(percentEncoded: false)
    await #expect(throws: FileError.unwritable(file: part, reason: "Permission denied")) {
      try await PackageUnpacker(in: closed.fileSystem) { _ in nil }.unpack(url, to: folder)
    }
    let broken = FileSystemRecorder(failing: 0..<1, code: EIO) {
      if case .rename = $0 { true } else { false }
    }
    let first = folder.appending(path: "mobile_map.info").path(percentEncoded: false)
    await #expect(throws: FileError.unwritable(file: first, reason: "Input/output error")) {
      try await PackageUnpacker(in: broken.fileSystem) { _ in nil }.unpack(url, to: folder)
    }
    #expect(try paths() == ["map.mmpk"])
  }

  @Test func `A folder that is closed to others stays closed to them`() async throws {
    try write("mobile_map.info")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    _ = try await PackageUnpacker().unpack(url, to: folder)
    #expect(try FileStatus(at: folder)?.permissions == 0o700)
  }

  @Test func `The room for all files together is looked at before anything is written`()
    async throws
  {
    try write("mobile_map.info", "p13/a.mmap", "p13/data.geodatabase")
    let path = folder.path(percentEncoded: false)
    // Enough for each of them, with as much again left free.
    let disk = FileSystemRecorder()
    let unpacker = PackageUnpacker(in: disk.fileSystem) { _ in 60 }
    let error = PackageUnpackerError.noSpace(folder: path, needed: 45, available: 60)
    await #expect(throws: error) { try await unpacker.unpack(url, to: folder) }
    #expect(disk.calls.isEmpty)
    #expect(error.localizedDescription == "Unpacking to \(path) takes 45 bytes; 60 are free.")
  }

  @Test func `What cannot be unpacked is not called a package that cannot be opened`() async throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    await #expect(throws: PackageUnpackerError.isFolder(file: "map")) {
      try await PackageUnpacker().unpack(folder, to: url)
    }
    let unsupported = ArchiveError.unsupported(file: "x", entry: "p13/a", feature: "encryption")
    #expect(
      PackageUnpackerError(unsupported, file: "map.mmpk")?.localizedDescription
        == "map.mmpk cannot be unpacked: p13/a uses encryption, which is not supported.")
    #expect(PackageUnpackerError(.notAnArchive(file: "x"), file: "map.mmpk") == nil)
  }

  @Test func `Each finished file is reported, with the total`() async throws {
    try write("mobile_map.info", "p13/a.mmap", "p13/data.geodatabase")
    let told = Mutex<[[Int]]>([])
    _ = try await PackageUnpacker().unpack(url, to: folder) { done, all in
      told.withLock { $0.append([done, all]) }
    }
    #expect(told.withLock { $0 } == [[1, 3], [2, 3], [3, 3]])
  }

  @Test func `A package whose unpacking is cancelled leaves nothing`() async throws {
    try write("mobile_map.info", "p13/a.mmap", "p13/data.geodatabase")
    let (url, folder) = (url, folder)
    let task = Task {
      try await PackageUnpacker().unpack(url, to: folder) { _, _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try paths() == ["map.mmpk"])
  }

  @Test(arguments: [(89, false), (90, true), (nil, true)] as [(Int?, Bool)])
  func `As much free space as a small package needs is kept, where the disk reports it`(
    _ free: Int?, _ isEnough: Bool
  ) async throws {
    try write("mobile_map.info", "p13/a.mmap", "p13/data.geodatabase")
    let unpacker = PackageUnpacker(in: .live) { _ in free }
    if isEnough {
      #expect(try await unpacker.unpack(url, to: folder).byteCount == 45)
    } else {
      let error = PackageUnpackerError.noSpace(
        folder: folder.path(percentEncoded: false), needed: 45, available: free ?? 0)
      await #expect(throws: error) { try await unpacker.unpack(url, to: folder) }
      #expect(try paths() == ["map.mmpk"])
    }
  }

  @Test func `The disk of the nearest folder that is there is asked for its room`() async throws {
    try write("mobile_map.info")
    let asked = Mutex<[String]>([])
    let unpacker = PackageUnpacker(in: .live) { place in
      asked.withLock { $0.append(place.path) }
      return nil
    }
    _ = try await unpacker.unpack(url, to: temporaryDirectory.appending(path: "a/b/map"))
    #expect(asked.withLock { $0 } == [temporaryDirectory.path])
    #expect(try paths() == ["a", "a/b", "a/b/map", "a/b/map/mobile_map.info", "map.mmpk"])
  }

  @Test(arguments: [true, false])
  func `An existing file or folder at the target is left as it is`(isFile: Bool) async throws {
    try write("mobile_map.info")
    if isFile {
      try Data("mine".utf8).write(to: folder)
    } else {
      let empty = temporaryDirectory.appending(path: "empty")
      try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: empty)
    }
    let before = try FileStatus(at: folder)
    let error = FileError.alreadyExists(file: folder.path(percentEncoded: false))
    await #expect(throws: error) { try await PackageUnpacker().unpack(url, to: folder) }
    #expect(try FileStatus(at: folder) == before)
  }

  @Test func `A file that is missing or no archive is reported as such`() async throws {
    let path = url.path(percentEncoded: false)
    await #expect(throws: PackageError.noSuchFile(path)) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    try Data("a letter".utf8).write(to: url)
    let reason = "it is not a ZIP archive"
    await #expect(throws: PackageError.notAPackage(file: "map.mmpk", reason: reason)) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    #expect(try paths() == ["map.mmpk"])
  }
}
