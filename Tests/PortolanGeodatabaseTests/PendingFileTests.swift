import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Whether a new file takes its place only when it is whole and on the disk.
@Suite(.temporaryDirectory) struct PendingFileTests {
  private var url: URL { temporaryDirectory.appending(path: "new.geodatabase") }
  private var path: String { url.path(percentEncoded: false) }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path).sorted()
  }

  private func complete(_ text: String, in disk: FileSystem = .live) throws {
    let file = try PendingFile(at: url, in: disk)
    try Data(text.utf8).write(to: file.temporaryURL)
    try file.complete()
  }

  @Test func `A new file is on the disk before it has its name, and its name after`() throws {
    let recorder = FileSystemRecorder()
    let file = try PendingFile(at: url, in: recorder.fileSystem)
    let draft = file.temporaryURL.path
    try file.complete()
    let calls = recorder.calls.filter { if case .open = $0 { false } else { true } }
    #expect(
      calls == [
        .sync(draft), .rename(draft, to: path), .sync(temporaryDirectory.path),
      ])
  }

  @Test func `A file that is only scratch takes its name and is not synced`() throws {
    let recorder = FileSystemRecorder()
    let file = try PendingFile(at: url, in: recorder.fileSystem)
    let draft = file.temporaryURL.path
    try file.complete(.scratch)
    #expect(recorder.calls == [.rename(draft, to: path)])
    #expect(try names() == ["new.geodatabase"])
  }

  @Test(arguments: [EIO, ENOSPC])
  func `A file that does not reach the disk does not take the place of the one before`(
    code: Int32
  ) throws {
    try complete("old")
    let disk = FileSystem {
      if case .sync(let path) = $0, path.hasSuffix("partial") { code } else { nil }
    }
    let error = #expect(throws: GeodatabaseWriterError.self) { try complete("new", in: disk) }
    #expect(
      error
        == (code == ENOSPC
          ? .diskFull(file: path) : .notWritable(file: path, reason: "Input/output error")))
    #expect(try Data(contentsOf: url) == Data("old".utf8))
    #expect(try names() == ["new.geodatabase"])
  }

  @Test func `A file in its place that was not confirmed is reported as present`() throws {
    try complete("old")
    let folder = temporaryDirectory.path
    let disk = FileSystem { $0 == .sync(folder) ? EIO : nil }
    let error = #expect(throws: GeodatabaseWriterError.self) { try complete("new", in: disk) }
    #expect(
      error?.errorDescription?.contains("it is in place, but the disk did not confirm it") == true)
    #expect(try Data(contentsOf: url) == Data("new".utf8))
    #expect(try names() == ["new.geodatabase"])
  }

  @Test func `Where a folder is in the way nothing is left behind`() throws {
    try FileManager.default.createDirectory(
      at: url.appending(path: "inside"), withIntermediateDirectories: true)
    #expect(throws: GeodatabaseWriterError.self) { try complete("new") }
    #expect(try names() == ["new.geodatabase"])
    #expect(try FileStatus(at: url.appending(path: "inside"))?.kind == .folder)
  }

  @Test func `Two writers of one file do not get in each other's way`() throws {
    let first = try PendingFile(at: url)
    try Data("first".utf8).write(to: first.temporaryURL)
    #expect(throws: GeodatabaseWriterError.self) { _ = try PendingFile(at: url) }
    try first.complete()
    #expect(try Data(contentsOf: url) == Data("first".utf8))
    try complete("second")
    #expect(try Data(contentsOf: url) == Data("second".utf8))
  }
}
