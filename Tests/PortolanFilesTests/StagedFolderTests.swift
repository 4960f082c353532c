import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanFiles

/// The outcome of a folder that is written beside its place.
@Suite(.temporaryDirectory) struct StagedFolderTests {
  private var target: URL { temporaryDirectory.appending(path: "map") }

  private func put(_ text: String, at path: String, in folder: inout StagedFolder) throws {
    var file = try folder.file(at: path)
    try file.write(Data(text.utf8))
    try file.commit()
  }

  private func text(_ path: String) -> String? {
    try? String(contentsOf: target.appending(path: path), encoding: .utf8)
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `Two files are not staged for the same place`() throws {
    var folder = try StagedFolder(target)
    try put("first", at: "p13/a", in: &folder)
    var refusal: FileError?
    do throws(FileError) { _ = try folder.place(for: "p13/a") } catch { refusal = error }
    #expect(refusal == .alreadyExists(file: target.appending(path: "p13/a").path))
    try folder.commit()
    #expect(text("p13/a") == "first")
  }

  @Test func `Names that are written with accents of their own are two files`() throws {
    var folder = try StagedFolder(target)
    try put("one", at: "\u{E9}", in: &folder)
    try put("two", at: "e\u{301}", in: &folder)
    try folder.commit()
    #expect(text("\u{E9}") == "one" && text("e\u{301}") == "two")
  }

  @Test func `A file that the file system takes for another one does not replace it`() throws {
    var folder = try StagedFolder(target)
    // As the one of other capitals is there where they are not told apart.
    let place = try folder.place(for: "p13/a").deletingLastPathComponent()
    try Data("first".utf8).write(to: place.appending(path: "B"))
    var refusal: FileError?
    do throws(FileError) { _ = try folder.place(for: "p13/B") } catch { refusal = error }
    #expect(refusal == .alreadyExists(file: target.appending(path: "p13/B").path))
  }

  @Test(arguments: ["../a", "/a", "a/../../b", "", ".", "a//b"])
  func `Nothing is staged for a place outside, or under a name that is spelled otherwise`(
    path: String
  ) throws {
    #expect(throws: FileError.unsafePath(folder: target.path, path: path)) {
      var folder = try StagedFolder(target)
      _ = try folder.place(for: path)
    }
  }

  @Test(arguments: [0o700, 0o750, 0o755])
  func `A folder that is filled keeps its read permissions`(mode: Int) throws {
    try FileManager.default.createDirectory(
      at: target, withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
    var folder = try StagedFolder(target)
    try put("x", at: "a", in: &folder)
    try folder.commit()
    #expect(try FileStatus(at: target)?.permissions == UInt32(mode))
  }

  @Test(arguments: [0o700, 0o750])
  func `A folder is no more readable while it is filled than afterwards`(mode: Int) throws {
    try FileManager.default.createDirectory(
      at: target, withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
    var folder = try StagedFolder(target)
    try put("x", at: "a", in: &folder)
    let name = try #require(try names(in: temporaryDirectory).first { $0 != "map" })
    let filled = try FileStatus(at: temporaryDirectory.appending(path: name))
    #expect(filled?.kind == .folder && filled?.permissions == UInt32(mode))
    try folder.commit()
  }

  @Test(arguments: [(EIO, "Input/output error"), (ENOSPC, nil)] as [(Int32, String?)])
  func `What cannot be written in a folder is named as people will see it`(
    _ code: Int32, _ reason: String?
  ) throws {
    let disk = FileSystem { call in
      if case .makeFolder(let path) = call, path.hasSuffix("/deep") { code } else { nil }
    }
    let file = target.appending(path: "deep").path
    let error = reason.map { FileError.unwritable(file: file, reason: $0) } ?? .diskFull(file: file)
    #expect(throws: error) {
      var folder = try StagedFolder(target, in: disk)
      _ = try folder.place(for: "deep/a")
    }
  }

  @Test func `An abandoned change leaves nothing behind, and earlier files as they were`() throws {
    try FileSystem.live.createFolder(target)
    do {
      var folder = try StagedFolder(target)
      try put("x", at: "deep/a", in: &folder)
    }
    #expect(try names(in: temporaryDirectory) == ["map"])
    #expect(try names(in: target).isEmpty)
  }

  @Test func `A folder with something in it is not replaced`() throws {
    try FileSystem.live.createFolder(target)
    try Data("theirs".utf8).write(to: target.appending(path: "a"))
    #expect(throws: FileError.alreadyExists(file: target.path)) {
      var folder = try StagedFolder(target)
      try put("mine", at: "a", in: &folder)
      try folder.commit()
    }
    #expect(text("a") == "theirs")
    #expect(try names(in: temporaryDirectory) == ["map"])
  }

  @Test func `A folder takes the place of no file`() throws {
    try Data("theirs".utf8).write(to: target)
    #expect(throws: FileError.alreadyExists(file: target.path)) {
      var folder = try StagedFolder(target)
      try put("mine", at: "a", in: &folder)
      try folder.commit()
    }
    #expect(try String(contentsOf: target, encoding: .utf8) == "theirs")
    #expect(try names(in: temporaryDirectory) == ["map"])
  }

  @Test func `Files merged into a folder leave the other files of it alone`() throws {
    try FileSystem.live.createFolder(target)
    for name in ["kept", "replaced"] {
      try Data("old".utf8).write(to: target.appending(path: name))
    }
    var folder = try StagedFolder(target)
    for path in ["replaced", "new/deep/a"] { try put("new", at: path, in: &folder) }
    try folder.merge()
    #expect(["kept", "replaced", "new/deep/a"].map(text) == ["old", "new", "new"])
    #expect(try names(in: temporaryDirectory) == ["map"])
  }

  @Test func `A merge that fails in its middle leaves each file whole, the new or the old`() throws
  {
    try FileSystem.live.createFolder(target)
    for name in ["b", "c"] { try Data("old".utf8).write(to: target.appending(path: name)) }
    let refused = target.appending(path: "b").path
    let disk = FileSystem { call in
      if case .rename(_, let place) = call, place == refused { EIO } else { nil }
    }
    #expect(throws: FileError.unwritable(file: refused, reason: "Input/output error")) {
      var folder = try StagedFolder(target, in: disk)
      for path in ["c", "a", "b"] { try put("new", at: path, in: &folder) }
      try folder.merge()
    }
    // They are moved by name, whatever their order was.
    #expect(["a", "b", "c"].map(text) == ["new", "old", "old"])
    #expect(try names(in: temporaryDirectory) == ["map"])
  }

  @Test func `Each folder that is made while merging is known to the one above it`() throws {
    try FileSystem.live.createFolder(target)
    let recorder = FileSystemRecorder()
    var folder = try StagedFolder(target, in: recorder.fileSystem)
    try put("x", at: "new/deep/a", in: &folder)
    try folder.merge()
    let made = [target, target.appending(path: "new")].map(\.path)
    let synced = recorder.calls.compactMap { if case .sync(let path) = $0 { path } else { nil } }
    #expect(made.allSatisfy(synced.contains))
  }

  @Test func `A folder that the disk has not confirmed is in its place, and reported as such`()
    throws
  {
    let parent = temporaryDirectory.path
    let disk = FileSystem { $0 == .sync(parent) ? EIO : nil }
    #expect(
      throws: FileError.durabilityUnknown(file: target.path, reason: "Input/output error")
    ) {
      var folder = try StagedFolder(target, in: disk)
      try put("x", at: "a", in: &folder)
      try folder.commit()
    }
    #expect(text("a") == "x")
    #expect(try names(in: temporaryDirectory) == ["map"])
  }

  /// The paths of calls below the folder of the test, with `~` for the names that nobody can know.
  private func told(_ calls: [FileSystemCall]) -> [String] {
    let root = temporaryDirectory.path
    return calls.map { call in
      let below = "\(call)".replacing("\"\(root)/", with: "\"")
      let text = below.replacing("\"\(root)\"", with: "\".\"")
      return text.replacing(/\.portolan-[0-9]+\.part/, with: "~")
    }
  }

  private static let calls = [
    #"makeFolder("~")"#, #"open("~")"#, #"makeFolder("~/deep")"#, #"create("~/deep/~")"#,
    #"write("map/deep/a")"#, #"sync("~/deep/~")"#, #"rename("~/deep/~", to: "~/deep/a")"#,
    #"open("~/deep")"#, #"sync("~/deep")"#, #"open("~/deep")"#, #"sync("~/deep")"#, #"sync("~")"#,
    #"rename("~", to: "map")"#, #"open(".")"#, #"sync(".")"#,
  ]

  @Test func `All is on the disk before the folder takes its place, and then its name is`() throws {
    let recorder = FileSystemRecorder()
    var folder = try StagedFolder(target, in: recorder.fileSystem)
    try put("x", at: "deep/a", in: &folder)
    try folder.commit()
    #expect(told(recorder.calls) == Self.calls)
  }

  /// The error where one of the calls fails.
  private func error(ofCall number: Int) -> FileError {
    let reason = "Input/output error"
    let (map, deep, file) = (
      target.path, target.appending(path: "deep").path, target.appending(path: "deep/a").path
    )
    return switch number {
    case 2: .unwritable(file: deep, reason: reason)
    case 3...6: .unwritable(file: file, reason: reason)
    case 7, 8: .durabilityUnknown(file: file, reason: reason)
    case 9: .unreadable(file: deep, reason: reason)
    case 10: .unwritable(file: deep, reason: reason)
    case 13, 14: .durabilityUnknown(file: map, reason: reason)
    default: .unwritable(file: map, reason: reason)
    }
  }

  @Test(arguments: calls.indices)
  func `Whichever call fails, a user's path is named, and nothing is left half done`(
    _ number: Int
  ) throws {
    let recorder = FileSystemRecorder(failing: number..<number + 1, code: EIO)
    #expect(throws: error(ofCall: number)) {
      var folder = try StagedFolder(target, in: recorder.fileSystem)
      try put("x", at: "deep/a", in: &folder)
      try folder.commit()
    }
    let isThere = number > 12
    #expect(try names(in: temporaryDirectory) == (isThere ? ["map"] : []))
    #expect(text("deep/a") == (isThere ? "x" : nil))
  }

  @Test func `The folders above a new one are on the disk before it`() throws {
    let recorder = FileSystemRecorder()
    let target = temporaryDirectory.appending(path: "a/b/map")
    let folder = try StagedFolder(target, in: recorder.fileSystem)
    try folder.commit()
    #expect(
      told(recorder.calls) == [
        #"makeFolder("a")"#, #"makeFolder("a/b")"#, #"open(".")"#, #"sync(".")"#, #"open("a")"#,
        #"sync("a")"#, #"makeFolder("a/b/~")"#, #"open("a/b/~")"#, #"sync("a/b/~")"#,
        #"rename("a/b/~", to: "a/b/map")"#, #"open("a/b")"#, #"sync("a/b")"#,
      ])
  }
}
