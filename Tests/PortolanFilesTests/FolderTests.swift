import Foundation
import Glibc
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanFiles

/// The calls that making, erasing and moving consist of, one after the other.
@Suite(.temporaryDirectory) struct FolderTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }
  private func path(_ name: String) -> String { url(name).path }
  private var root: String { temporaryDirectory.path }

  private func text(_ name: String) -> String? {
    try? String(contentsOf: url(name), encoding: .utf8)
  }

  private func put(_ text: String, _ name: String) throws {
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url(name))
  }

  private func link(_ name: String, to other: String) throws {
    try FileManager.default.createSymbolicLink(at: url(name), withDestinationURL: url(other))
  }

  // MARK: - Making

  @Test func `Each folder that is made is known to the one above it, from the uppermost on`() throws
  {
    let recorder = FileSystemRecorder()
    try recorder.fileSystem.createFolder(url("a/b"), permissions: 0o700)
    #expect(
      recorder.calls == [
        .makeFolder(path("a")), .makeFolder(path("a/b")), .open(root), .sync(root),
        .open(path("a")), .sync(path("a")),
      ])
    #expect(try ["a", "a/b"].map { try FileStatus(at: url($0))?.permissions } == [0o700, 0o700])
    let again = FileSystemRecorder()
    try again.fileSystem.createFolder(url("a/b"))
    #expect(again.calls.isEmpty)
  }

  @Test func `A link that leads to a folder is one, and one that leads nowhere is none`() throws {
    try put("x", "far/file")
    try link("there", to: "far")
    try link("nowhere", to: "absent")
    try FileSystem.live.createFolder(url("there"))
    try FileSystem.live.createFolder(url("there/new"))
    #expect(try FileStatus(at: url("far/new"))?.kind == .folder)
    #expect(throws: FileError.alreadyExists(file: path("nowhere"))) {
      try FileSystem.live.createFolder(url("nowhere"))
    }
    #expect(try FileStatus(at: url("absent")) == nil)
  }

  @Test func `A folder is written to by a link to it as by its own name`() throws {
    try put("x", "far/file")
    try link("near", to: "far")
    let disk = FileSystem.live
    try disk.write(Data("new".utf8), to: url("near/file"))
    try disk.createFolder(url("near/a/b"))
    try disk.move(url("near/file"), to: url("near/a/b/file"))
    try disk.rename(url("near/a/b/file"), to: url("near/other"))
    try disk.syncFolder(url("near"))
    var folder = try StagedFolder(url("near/new"))
    var file = try folder.file(at: "file")
    try file.write(Data("staged".utf8))
    try file.commit()
    try folder.commit()
    #expect(text("far/other") == "new" && text("far/new/file") == "staged")
    #expect(try disk.names(in: url("far")) == ["a", "new", "other"])
    #expect(try FileStatus(at: url("near"))?.kind == .link)
  }

  // MARK: - Erasing

  @Test func `The contents of a folder are erased by name, and then the folder`() throws {
    for name in ["gone/a", "gone/deep/file", "kept/file"] { try put("x", name) }
    try link("gone/link", to: "kept")
    let recorder = FileSystemRecorder()
    try recorder.fileSystem.erase(url("gone"))
    #expect(
      recorder.calls == [
        .list(path("gone")), .remove(path("gone/a")), .list(path("gone/deep")),
        .remove(path("gone/deep/file")), .remove(path("gone/deep")), .remove(path("gone/link")),
        .remove(path("gone")),
      ])
    #expect(text("kept/file") == "x")
  }

  @Test func `What has a name that is not UTF-8 is erased with the folder that it is in`() throws {
    for name in ["gone/file", "kept/file"] { try put("x", name) }
    let odd = CChar(truncatingIfNeeded: 0xff)
    let slash = CChar(UInt8(ascii: "/"))
    // A folder with a file, and a link that leads out of it.
    let folder = Array(path("gone").utf8CString.dropLast()) + [slash, odd]
    let made = mkdir(folder + [0], 0o755)
    try #require(made == 0)
    let file = creat(folder + [slash, odd, 0], 0o644)
    try #require(file >= 0)
    close(file)
    let linked = symlink(path("kept"), folder + [slash, slash, 65, 0])
    try #require(linked == 0)
    #expect(try FileSystem.live.names(in: url("gone")) == ["file"])
    try FileSystem.live.erase(url("gone"))
    #expect(try FileStatus(at: url("gone")) == nil)
    #expect(text("kept/file") == "x")
  }

  @Test func `Removing a folder that keeps being filled stops after three attempts`() throws {
    try put("x", "gone/file")
    let (gone, late) = (path("gone"), url("gone/late"))
    let count = Mutex(0)
    let disk = FileSystem { call in
      guard call == .remove(gone) else { return nil }
      count.withLock { $0 += 1 }
      _ = FileManager.default.createFile(atPath: late.path, contents: nil)
      return nil
    }
    #expect(throws: FileError.alreadyExists(file: gone)) { try disk.erase(url("gone")) }
    #expect(count.withLock { $0 } == 3)
    #expect(try FileSystem.live.names(in: url("gone")) == ["late"])
  }

  @Test(arguments: ["gone/file", "gone/deep", "gone"])
  func `Files that others erased meanwhile count as erased`(name: String) throws {
    for name in ["gone/deep/a", "gone/file"] { try put("x", name) }
    let other = url(name)
    let disk = FileSystem { call in
      if call == .remove(other.path) || call == .list(other.path) {
        // The second time there is nothing left.
        try? FileManager.default.removeItem(at: other)
      }
      return nil
    }
    try disk.erase(url("gone"))
    #expect(try FileStatus(at: url("gone")) == nil)
  }

  @Test func `Syncing the names of a folder syncs nothing that bears them`() throws {
    try put("x", "a/b/file")
    let recorder = FileSystemRecorder()
    try recorder.fileSystem.syncFolder(url("a"))
    #expect(recorder.calls == [.open(path("a")), .sync(path("a"))])
  }

  @Test func `Names are listed in the order of their bytes, hidden ones too`() throws {
    for name in ["b", "B", ".x", "ä", "a10", "a9"] { try put("", "a/\(name)") }
    #expect(try FileSystem.live.names(in: url("a")) == [".x", "B", "a10", "a9", "b", "ä"])
  }

  // MARK: - Moving

  /// The ways of giving a file another name.
  enum Moving: CaseIterable, Sendable {
    case move, exchange, rename

    func callAsFunction(_ disk: FileSystem, _ from: URL, _ to: URL) throws(FileError) {
      switch self {
      case .move: try disk.move(from, to: to)
      case .exchange: try disk.exchange(from, with: to)
      case .rename: try disk.rename(from, to: to)
      }
    }

    func call(_ from: String, _ to: String) -> FileSystemCall {
      switch self {
      case .move: .move(from, to: to)
      case .exchange: .exchange(from, with: to)
      case .rename: .rename(from, to: to)
      }
    }
  }

  @Test(arguments: Moving.allCases)
  func `The new name is on the disk before the old one goes, in a folder once`(
    _ moving: Moving
  ) throws {
    try put("x", "a/file")
    try put("y", "b/other")
    if moving != .move { try put("z", "b/file") }
    let recorder = FileSystemRecorder()
    try moving(recorder.fileSystem, url("a/file"), url("b/file"))
    #expect(
      recorder.calls == [
        moving.call(path("a/file"), path("b/file")), .open(path("b")), .sync(path("b")),
        .open(path("a")), .sync(path("a")),
      ])
    #expect(text("b/file") == "x" && text("a/file") == (moving == .exchange ? "z" : nil))
    if moving == .move { try FileManager.default.removeItem(at: url("b/other")) }
    let within = FileSystemRecorder()
    try moving(within.fileSystem, url("b/file"), url("b/other"))
    #expect(
      within.calls == [
        moving.call(path("b/file"), path("b/other")), .open(path("b")), .sync(path("b")),
      ])
    #expect(text("b/other") == "x" && text("b/file") == (moving == .exchange ? "y" : nil))
  }

  @Test(arguments: Moving.allCases)
  func `Of two folders that cannot be synced the new one is reported`(_ moving: Moving) throws {
    try put("x", "a/file")
    try put("y", "b/other")
    if moving != .move { try put("z", "b/file") }
    let new = path("b")
    let disk = FileSystem { call in
      guard case .sync(let folder) = call else { return nil }
      return folder == new ? EIO : ENOSPC
    }
    #expect(
      throws: FileError.durabilityUnknown(file: path("b/file"), reason: "Input/output error")
    ) { try moving(disk, url("a/file"), url("b/file")) }
    #expect(text("b/file") == "x")
  }

  @Test func `A folder is not moved into itself`() throws {
    try put("x", "a/file")
    #expect(
      throws: FileError.unwritable(file: path("a/b"), reason: "Invalid argument")
    ) { try FileSystem.live.move(url("a"), to: url("a/b")) }
    #expect(text("a/file") == "x")
    #expect(try FileSystem.live.names(in: url("a")) == ["file"])
  }
}
