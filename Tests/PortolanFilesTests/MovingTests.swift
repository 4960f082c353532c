import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanFiles

/// The places of files after something has moved, or was to be moved.
@Suite(.temporaryDirectory) struct MovingTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  private func text(_ name: String) -> String? {
    try? String(contentsOf: url(name), encoding: .utf8)
  }

  private func put(_ text: String, _ name: String) throws {
    try FileSystem.live.createFolder(url(name).deletingLastPathComponent())
    try Data(text.utf8).write(to: url(name))
  }

  @Test func `An exchange is on the disk in both folders, or reported not to be`() throws {
    try put("x", "a/file")
    try put("y", "b/file")
    for n in 0..<2 {
      let recorder = FileSystemRecorder(failing: n..<n + 1, code: EIO) {
        if case .sync = $0 { true } else { false }
      }
      #expect(
        throws: FileError.durabilityUnknown(
          file: url("b/file").path, reason: "Input/output error")
      ) { try recorder.fileSystem.exchange(url("a/file"), with: url("b/file")) }
      let synced = recorder.calls.compactMap { if case .sync(let path) = $0 { path } else { nil } }
      #expect(synced.sorted() == [url("a").path, url("b").path])
    }
    #expect(text("a/file") == "x" && text("b/file") == "y")
  }

  @Test func `A move in steps takes the place of nothing either`() throws {
    try put("x", "a")
    try put("y", "b")
    #expect(throws: FileError.alreadyExists(file: url("b").path)) {
      try FileSystem.live.moveInSteps(url("a").path, url("b").path, isFolder: false)
    }
    #expect(text("a") == "x" && text("b") == "y")
    for folder in ["c", "d"] { try put(folder, "\(folder)/file") }
    #expect(throws: FileError.alreadyExists(file: url("d").path)) {
      try FileSystem.live.moveInSteps(url("c").path, url("d").path, isFolder: true)
    }
    #expect(text("c/file") == "c" && text("d/file") == "d")
    // Nor does a folder take that of a file; what is missing is said to be so.
    #expect(throws: FileError.alreadyExists(file: url("b").path)) {
      try FileSystem.live.moveInSteps(url("c").path, url("b").path, isFolder: true)
    }
    #expect(text("c/file") == "c" && text("b") == "y")
    #expect(throws: FileError.absent(file: url("b").path)) {
      try FileSystem.live.moveInSteps(url("none").path, url("b").path, isFolder: true)
    }
  }

  @Test func `A move takes the place of nothing where files have no second names either`() throws {
    try put("x", "a")
    try put("y", "b")
    #expect(throws: FileError.alreadyExists(file: url("b").path)) {
      try FileSystem.live.moveToVacancy(url("a").path, url("b").path)
    }
    #expect(text("a") == "x" && text("b") == "y")
    try FileSystem.live.moveToVacancy(url("a").path, url("c").path)
    #expect(text("a") == nil && text("c") == "x")
  }

  @Test(arguments: [EPERM, ENOTSUP, ENOSYS, EMLINK])
  func `A file that can have no second name is copied, and takes the place of nothing`(
    _ code: Int32
  ) throws {
    try put("x", "a")
    try put("y", "b")
    let disk = FileSystem { call in if case .link = call { code } else { nil } }
    try disk.linkOrCopy(url("a"), to: url("c"))
    #expect(text("a") == "x" && text("c") == "x")
    #expect(try FileStatus(at: url("a"))?.identity != FileStatus(at: url("c"))?.identity)
    #expect(throws: FileError.alreadyExists(file: url("b").path)) {
      try disk.linkOrCopy(url("a"), to: url("b"))
    }
    #expect(text("b") == "y")
  }

  @Test func `A second name is given where there are some, and takes the place of nothing`() throws
  {
    try put("x", "a")
    try put("y", "b")
    try FileSystem.live.linkOrCopy(url("a"), to: url("c"))
    #expect(try FileStatus(at: url("a"))?.identity == FileStatus(at: url("c"))?.identity)
    #expect(throws: FileError.alreadyExists(file: url("b").path)) {
      try FileSystem.live.linkOrCopy(url("a"), to: url("b"))
    }
    #expect(text("b") == "y")
  }

  @Test func `The target of a link is not part of a folder`() throws {
    try put("x", "far/file")
    try put("y", "a/own")
    try FileManager.default.createSymbolicLink(at: url("a/link"), withDestinationURL: url("far"))
    var walked: [FileType] = []
    try FileTree.walk(url("a")) { _, status in walked.append(status.kind) }
    #expect(walked == [.link, .file, .folder])
    var visited: [FileType] = []
    FileTree.visit(url("a")) { _, status in visited.append(status.kind) }
    #expect(visited == walked)
  }
}
