import Foundation
import Glibc
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanFiles

/// The files that are left after any single call of the system has failed.
@Suite(.temporaryDirectory) struct DurabilityTests {
  private var folder: URL { temporaryDirectory }
  private func url(_ name: String) -> URL { folder.appending(path: name) }

  private func text(_ name: String) -> String? {
    try? String(contentsOf: url(name), encoding: .utf8)
  }

  private func put(_ text: String, _ name: String) throws {
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url(name))
  }

  @Test func `A file is synced before it is renamed, and its folder after`() throws {
    let recorder = FileSystemRecorder()
    try recorder.fileSystem.write(Data("new".utf8), to: url("a"))
    let kinds = recorder.calls.map { call in
      switch call {
      case .create: "create"
      case .write: "write"
      case .sync(let path): path == folder.path ? "sync folder" : "sync file"
      case .rename(_, let path): path == url("a").path ? "rename" : "?"
      case .open: "open folder"
      default: "?"
      }
    }
    #expect(kinds == ["create", "write", "sync file", "rename", "open folder", "sync folder"])
  }

  @Test func `A file that may replace no other is synced before it takes its place, too`() throws {
    let recorder = FileSystemRecorder()
    var file = try StagedFile(replacing: url("a"), in: recorder.fileSystem)
    try file.write(Data("new".utf8))
    try file.commit(replacing: false)
    let synced = recorder.calls.firstIndex { call in
      if case .sync(let path) = call { path != folder.path } else { false }
    }
    let moved = recorder.calls.firstIndex { call in
      switch call {
      case .rename(_, let path), .move(_, let path): path == url("a").path
      default: false
      }
    }
    #expect(try #require(synced) < #require(moved))
    #expect(text("a") == "new")
  }

  @Test(arguments: 0..<6) func `A write that fails leaves the old file or the new one`(
    _ n: Int
  ) throws {
    try put("old", "a")
    let recorder = FileSystemRecorder(failing: n..<n + 1, code: EIO)
    let error = #expect(throws: FileError.self) {
      try recorder.fileSystem.write(Data("new".utf8), to: url("a"))
    }
    if case .durabilityUnknown = error {
      #expect(text("a") == "new")
    } else {
      #expect(text("a") == "old")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }

  @Test func `A move whose folder cannot be synced is not reported as not moved`() throws {
    try put("x", "a/file")
    try put("", "b/other")
    for n in 0..<2 {
      let (from, to) = n == 0 ? ("a/file", "b/file") : ("b/file", "a/file")
      let recorder = FileSystemRecorder(failing: n..<n + 1, code: EIO) {
        if case .sync = $0 { true } else { false }
      }
      #expect(
        throws: FileError.durabilityUnknown(file: url(to).path, reason: "Input/output error")
      ) { try recorder.fileSystem.move(url(from), to: url(to)) }
      #expect(text(to) == "x" && text(from) == nil)
      // The other folder is synced all the same.
      #expect(recorder.calls.filter { if case .sync = $0 { true } else { false } }.count == 2)
    }
  }

  @Test func `A move that the disk refuses leaves everything where it was`() throws {
    try put("x", "a")
    let recorder = FileSystemRecorder(failing: 0..<1, code: ENOSPC)
    #expect(throws: FileError.diskFull(file: url("b").path)) {
      try recorder.fileSystem.move(url("a"), to: url("b"))
    }
    #expect(text("a") == "x" && text("b") == nil)
  }

  @Test func `A move never takes the place of what is there`() throws {
    try put("x", "a")
    try put("y", "b")
    #expect(throws: FileError.alreadyExists(file: url("b").path)) {
      try FileSystem.live.move(url("a"), to: url("b"))
    }
    #expect(text("a") == "x" && text("b") == "y")
  }

  @Test func `An exchange gives each the place of the other`() throws {
    try put("x", "a/file")
    try put("y", "b")
    try FileSystem.live.exchange(url("a"), with: url("b"))
    #expect(text("b/file") == "x" && text("a") == "y")
  }

  @Test func `Syncing a folder syncs all that is in it`() throws {
    try put("x", "a/b/file")
    try FileManager.default.createSymbolicLink(
      at: url("a/link"), withDestinationURL: url("absent"))
    let recorder = FileSystemRecorder()
    try recorder.fileSystem.sync(url("a"))
    let synced = recorder.calls.compactMap { if case .sync(let path) = $0 { path } else { nil } }
    #expect(synced == ["a/b/file", "a/b", "a"].map { url($0).path })
  }

  @Test func `Only a file system that knows no syncing may leave it out`() throws {
    try put("x", "a/file")
    let unknown = FileSystemRecorder(failing: 0..<9, code: EINVAL) {
      if case .sync = $0 { true } else { false }
    }
    try unknown.fileSystem.sync(url("a"))
    let failing = FileSystemRecorder(failing: 0..<1, code: EIO) {
      if case .sync = $0 { true } else { false }
    }
    #expect(throws: FileError.self) { try failing.fileSystem.sync(url("a")) }
  }

  @Test func `What a folder holds is on the disk before the folder takes its place`() throws {
    let recorder = FileSystemRecorder()
    var staged = try StagedFolder(url("folder"), in: recorder.fileSystem)
    var file = try staged.file(at: "a/b/file")
    try file.write(Data("x".utf8))
    try file.commit()
    try staged.commit()
    #expect(text("folder/a/b/file") == "x")
    let move = try #require(
      recorder.calls.firstIndex {
        if case .rename(_, url("folder").path) = $0 { true } else { false }
      })
    let synced = recorder.calls[..<move].compactMap {
      if case .sync(let path) = $0 { path.split(separator: "/").last } else { nil }
    }
    #expect(synced.contains("a"))
    // Once for the file in it, and once for the folder.
    #expect(synced.filter { $0 == "b" }.count == 2)
    #expect(synced.last?.hasSuffix(".part") == true)
  }

  @Test func `A file that cannot be examined counts as present`() throws {
    try FileManager.default.createSymbolicLink(at: url("a"), withDestinationURL: url("b"))
    try FileManager.default.createSymbolicLink(at: url("b"), withDestinationURL: url("a"))
    #expect(FileSystem.live.exists(url("a/file")))
    #expect(!FileSystem.live.exists(url("c/file")))
  }

  @Test(.needsMounting) func `A file of which the disk takes only a part is not written`() throws {
    let disk = try SmallDisk(at: url("disk"), megabytes: 1)
    let target = disk.url.appending(path: "file")
    try FileSystem.live.write(Data("old".utf8), to: target)
    #expect(throws: FileError.diskFull(file: target.path)) {
      try FileSystem.live.write(Data(count: 2 << 20), to: target)
    }
    #expect(try Data(contentsOf: target) == Data("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == ["file"])
  }

  @Test func `A missing file cannot be synced`() {
    #expect(throws: FileError.absent(file: url("absent").path)) {
      try FileSystem.live.sync(url("absent"))
    }
  }

  @Test func `A new folder is made known to the one above it`() throws {
    let recorder = FileSystemRecorder()
    try recorder.fileSystem.createFolder(url("a/b"))
    let synced = recorder.calls.compactMap { if case .sync(let path) = $0 { path } else { nil } }
    #expect(synced == [folder.path, url("a").path])
    try recorder.fileSystem.createFolder(url("a/b"))
  }

  @Test func `Erasing does not follow links`() throws {
    try put("x", "kept/file")
    try put("x", "gone/deep/file")
    try FileManager.default.createSymbolicLink(
      at: url("gone/link"), withDestinationURL: url("kept"))
    try FileSystem.live.erase(url("gone"))
    try FileSystem.live.erase(url("gone"))
    #expect(text("kept/file") == "x" && !FileSystem.live.exists(url("gone")))
  }

  @Test func `Files put into a folder while it is erased are erased with it`() throws {
    try put("x", "gone/file")
    let (gone, late) = (url("gone").path, url("gone/late"))
    let isFirst = Mutex(true)
    let disk = FileSystem { call in
      if call == .remove(gone),
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      {
        _ = FileManager.default.createFile(atPath: late.path, contents: nil)
      }
      return nil
    }
    try disk.erase(url("gone"))
    #expect(!FileSystem.live.exists(url("gone")))
  }

  @Test func `A folder that another process creates at the same moment is accepted`() throws {
    let folder = url("a").path
    let disk = FileSystem { call in
      if call == .makeFolder(folder) { _ = mkdir(folder, 0o777) }
      return nil
    }
    try disk.createFolder(url("a/b"))
    #expect(try FileStatus(at: url("a/b"))?.kind == .folder)
  }

  @Test func `A call that a signal interrupts is made again`() throws {
    var calls = 0
    let result = try FileSystem.live.perform(.sync("a")) { () -> Int32 in
      calls += 1
      guard calls == 3 else {
        errno = EINTR
        return -1
      }
      return 7
    }
    #expect(result == 7 && calls == 3)
  }

  @Test func `A folder that cannot be listed is not taken for synced`() throws {
    try put("x", "map/p13/tiles")
    let folder = url("map/p13").path
    let disk = FileSystem { $0 == .list(folder) ? EMFILE : nil }
    let error = #expect(throws: FileError.self) { try disk.sync(url("map")) }
    #expect(error?.file == folder)
    try FileSystem.live.sync(url("map"))
  }

  @Test func `A folder that cannot be listed is named, not taken for empty`() throws {
    try put("x", "map/p13/tiles")
    let folder = url("map/p13").path
    let disk = FileSystem { $0 == .list(folder) ? EIO : nil }
    var seen: [String] = []
    #expect(throws: FileError.unreadable(file: folder, reason: "Input/output error")) {
      try FileTree.walk(url("map"), in: disk) { url, _ in seen.append(url.lastPathComponent) }
    }
    #expect(seen.isEmpty)
    try FileTree.walk(url("map")) { url, _ in seen.append(url.lastPathComponent) }
    #expect(seen == ["tiles", "p13", "map"])
    #expect(try FileSystem.live.names(in: url("map")) == ["p13"])
    #expect(try FileSystem.live.names(in: url("nothing")).isEmpty)
    try FileTree.walk(url("nothing")) { _, _ in Issue.record("nothing is there") }
  }

  @Test func `A list of names that breaks off is none`() throws {
    // The status that the system gives of a process that has ended can be opened, and not be read.
    var process: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawn(&process, "/bin/true", nil, nil, &arguments, nil) == 0)
    defer { waitpid(process, nil, 0) }
    var information = siginfo_t()
    try #require(waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == 0)
    let folder = "/proc/\(process)/net"
    #expect(throws: FileError.unreadable(file: folder, reason: "Invalid argument")) {
      try FileSystem.live.names(in: URL(filePath: folder))
    }
  }

  @Test func `A file whose old name cannot be removed has not moved`() throws {
    try put("x", "a")
    let disk = FileSystem { call in if case .remove = call { EIO } else { nil } }
    #expect(throws: FileError.self) {
      try disk.moveInSteps(url("a").path, url("b").path, isFolder: false)
    }
    #expect(text("a") == "x" && text("b") == nil)
    try FileSystem.live.moveInSteps(url("a").path, url("b").path, isFolder: false)
    #expect(text("a") == nil && text("b") == "x")
  }
}
