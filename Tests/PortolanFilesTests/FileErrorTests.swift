import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanFiles

/// The meaning of a call that fails.
@Suite(.temporaryDirectory) struct FileErrorTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  private func error(_ code: Int32, of call: FileSystemCall) -> FileError {
    FileError(call, code: code)
  }

  @Test(arguments: [FileSystemCall.open("a"), .write("a"), .makeFolder("a")])
  func `Causes that people can do something about have names`(call: FileSystemCall) {
    #expect(error(ENOENT, of: call) == .absent(file: "a"))
    #expect(error(ENOTDIR, of: call) == .absent(file: "a"))
    // Be it the disk, or the share of it that somebody may take.
    #expect(error(ENOSPC, of: call) == .diskFull(file: "a"))
    #expect(error(EDQUOT, of: call) == .diskFull(file: "a"))
    #expect(error(EROFS, of: call) == .readOnly(file: "a"))
    #expect(error(EEXIST, of: call) == .alreadyExists(file: "a"))
    #expect(error(ENOTEMPTY, of: call) == .alreadyExists(file: "a"))
  }

  @Test func `A failure is described in terms of the request`() {
    let reason = "Input/output error"
    for call in [FileSystemCall.open("a"), .lock("a"), .list("a")] {
      #expect(error(EIO, of: call) == .unreadable(file: "a", reason: reason))
    }
    for call in [
      FileSystemCall.create("a"), .write("a"), .truncate("a"), .sync("a"), .makeFolder("a"),
      .remove("a"), .changeMode("a"), .rename("b", to: "a"), .move("b", to: "a"),
      .exchange("b", with: "a"),
    ] {
      #expect(error(EIO, of: call) == .unwritable(file: "a", reason: reason))
    }
  }

  @Test func `What cannot be moved to another disk is described as such`() throws {
    try Data("x".utf8).write(to: url("file"))
    let files = FileSystem { call in
      if case .move = call { EXDEV } else { nil }
    }
    let reason = "what belongs there is on another disk"
    #expect(throws: FileError.unwritable(file: url("new").path, reason: reason)) {
      try files.move(url("file"), to: url("new"))
    }
    #expect(FileSystem.live.exists(url("file")) && !FileSystem.live.exists(url("new")))
  }

  @Test func `A link that leads nowhere is there all the same`() throws {
    try FileManager.default.createSymbolicLink(
      at: url("link"), withDestinationURL: url("nowhere"))
    try Data("x".utf8).write(to: url("file"))
    #expect(FileSystem.live.exists(url("link")) && !FileSystem.live.exists(url("nowhere")))
    #expect(throws: FileError.alreadyExists(file: url("link").path)) {
      try FileSystem.live.move(url("file"), to: url("link"))
    }
    try FileSystem.live.erase(url("link"))
    #expect(!FileSystem.live.exists(url("link")) && FileSystem.live.exists(url("file")))
  }

  @Test func `A folder is not made where a file is, nor below one`() throws {
    try Data("x".utf8).write(to: url("file"))
    for path in ["file", "file/a/b"] {
      #expect(throws: FileError.self) { try FileSystem.live.createFolder(url(path)) }
    }
    #expect(throws: FileError.alreadyExists(file: url("file").path)) {
      try FileSystem.live.createFolder(url("file"))
    }
    #expect(try Data(contentsOf: url("file")) == Data("x".utf8))
  }

  @Test(arguments: [0, 1, 7]) func `A document of just as many bytes as it may have is read`(
    count: Int
  ) throws {
    try Data(count: count).write(to: url("file"))
    #expect(try FileSystem.live.read(url("file"), limit: count).count == count)
  }

  @Test(arguments: [
    FileError.absent(file: "a.tpkx"), .unreadable(file: "a.tpkx", reason: "no"),
    .unwritable(file: "a.tpkx", reason: "no"), .readOnly(file: "a.tpkx"),
    .diskFull(file: "a.tpkx"), .alreadyExists(file: "a.tpkx"),
    .notAFile(file: "a.tpkx", kind: .pipe), .truncated(file: "a.tpkx", offset: 7),
    .unsafePath(folder: "a.tpkx", path: "../b"), .inUse(file: "a.tpkx", holder: nil),
    .inUse(file: "a.tpkx", holder: FileLockHolder(processID: 1, program: "init")),
    .durabilityUnknown(file: "a.tpkx", reason: "no"),
  ])
  func `An error names its file, and says what helps`(_ error: FileError) {
    #expect(error.file == "a.tpkx")
    let sentence = error.errorDescription ?? ""
    #expect(sentence.contains("a.tpkx") && sentence.hasSuffix("."), "\(sentence)")
    #expect(!error.reason.isEmpty && !error.reason.hasSuffix("."))
    #expect(error.recoverySuggestion?.hasSuffix(".") == true)
  }

  @Test(
    arguments: [
      (.absent(file: "f"), "f does not exist.", "it is not there"),
      (.unreadable(file: "f", reason: "no"), "f cannot be read: no.", "no"),
      (.unwritable(file: "f", reason: "no"), "f cannot be written: no.", "no"),
      (
        .readOnly(file: "f"), "f cannot be written: the medium can only be read.",
        "the medium can only be read"
      ),
      (.diskFull(file: "f"), "f cannot be written: the disk is full.", "the disk is full"),
      (.alreadyExists(file: "f"), "f exists already.", "something is there already"),
      (
        .notAFile(file: "f", kind: .link), "f is a symbolic link, not a file.",
        "it is a symbolic link, not a file"
      ),
      (
        .truncated(file: "f", offset: 7), "f ends too early, before byte 7.",
        "it ends before byte 7"
      ),
      (
        .unsafePath(folder: "f", path: "../b"), "The path \"../b\" leads out of f.",
        "the path \"../b\" leads out of it"
      ),
      (.inUse(file: "f", holder: nil), "f is in use.", "it is being written already"),
      (
        .inUse(file: "f", holder: FileLockHolder(processID: .max, program: nil)),
        "f is in use by process 2147483647.", "process 2147483647 is writing it"
      ),
      (
        .durabilityUnknown(file: "f", reason: "no"),
        "f is in place, but the disk did not confirm it: no.",
        "it is in place, but the disk did not confirm it: no"
      ),
      (.cancelled, "The work was cancelled.", "the work was cancelled"),
    ] as [(FileError, String, String)])
  func `An outcome is described in a sentence, or at the end of one`(
    _ error: FileError, _ sentence: String, _ reason: String
  ) {
    #expect(error.errorDescription == sentence && error.reason == reason)
    #expect(error.plainReason == reason)
  }

  @Test func `The holder of a lock is reported by process id and program, or as this process`() {
    #expect(
      FileLockHolder(processID: .max, program: "sqlite3").description
        == "process 2147483647 (sqlite3)")
    #expect(FileLockHolder(processID: getpid(), program: "x").description == "this program")
    #expect(FileLockHolder.find(for: url("absent")) == nil)
  }

  @Test func `The holder of a lock is reported by process id, and here as this program`() {
    let own = FileLockHolder(processID: getpid(), program: "x").description
    let written = FileLockHolder.forOthers(own)
    #expect(written.hasPrefix("process \(getpid())"))
    #expect(FileLockHolder.asSeenHere(written) == "this program")
    #expect(FileLockHolder.asSeenHere(own) == own)
    for other in ["process \(getpid())1 (x)", "process 1 (init)", "another process"] {
      #expect(FileLockHolder.forOthers(other) == other)
      #expect(FileLockHolder.asSeenHere(other) == other)
    }
  }

  @Test func `A cancellation is about no file, and needs no advice`() {
    #expect(FileError.cancelled.file == nil)
    #expect(FileError.cancelled.recoverySuggestion == nil)
  }
}
