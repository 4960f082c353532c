import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@Suite(.temporaryDirectory) struct RegularFileTests {
  private func url(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  @Test(.timeLimit(.minutes(5))) func `A pipe is refused at once`() throws {
    let url = url("pipe")
    #expect(mkfifo(url.path, 0o600) == 0)
    #expect(throws: FileError.notAFile(file: url.path, kind: .pipe)) {
      _ = try RegularFile(at: url)
    }
    #expect(throws: FileError.notAFile(file: url.path, kind: .pipe)) { try RegularFile.check(url) }
    #expect(
      FileError.notAFile(file: "p", kind: .pipe).errorDescription
        == "p is a named pipe, not a file.")
  }

  @Test func `Folders, devices and sockets are refused`() throws {
    let socketURL = URL(filePath: "/tmp/portolan-\(getpid())-\(UInt32.random(in: 0 ... .max))")
    let descriptor = try bound(to: socketURL)
    defer {
      close(descriptor)
      unlink(socketURL.path)
    }
    let others: [(URL, FileType)] = [
      (temporaryDirectory, .folder), (URL(filePath: "/dev/null"), .device), (socketURL, .socket),
    ]
    for (url, kind) in others {
      let error = #expect(throws: FileError.self) { _ = try RegularFile(at: url) }
      guard case .notAFile(_, kind)? = error else {
        Issue.record("\(url.path): \(String(describing: error))")
        continue
      }
    }
  }

  private func bound(to url: URL) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: url.path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
    return descriptor
  }

  @Test func `A copy is complete or absent, also for a file whose name was removed`() throws {
    let (source, target) = (url("source"), url("target"))
    let data = Data((0..<3_000_000).map { UInt8($0 % 251) })
    try data.write(to: source)
    let file = try RegularFile(at: source)
    let writes = Mutex(0)
    let full = FileSystem { call in
      guard case .write = call else { return nil }
      return writes.withLock { count in
        count += 1
        return count > 1 ? ENOSPC : nil
      }
    }
    var refusal: FileError?
    do { try file.writeCopy(to: target, in: full) } catch { refusal = error as? FileError }
    #expect(refusal == .diskFull(file: target.path))
    let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
    #expect(names == ["source"])
    try FileManager.default.removeItem(at: source)
    try file.writeCopy(to: target)
    #expect(try Data(contentsOf: target) == data)
  }

  @Test func `A copy takes the place of what is there unless that is to stay`() throws {
    let (source, target) = (url("source"), url("target"))
    try Data("new".utf8).write(to: source)
    try Data("mine".utf8).write(to: target)
    let file = try RegularFile(at: source)
    do {
      try file.writeCopy(to: target, replacing: false)
      Issue.record("it was replaced")
    } catch {
      #expect(error as? FileError == .alreadyExists(file: target.path))
    }
    #expect(try Data(contentsOf: target) == Data("mine".utf8))
    try file.writeCopy(to: target)
    #expect(try Data(contentsOf: target) == Data("new".utf8))
  }

  @Test func `A file that is not there passes the check and cannot be opened`() throws {
    try RegularFile.check(url("absent"))
    #expect(throws: FileError.absent(file: url("absent").path)) {
      _ = try RegularFile(at: url("absent"))
    }
  }

  @Test func `A file that was cut since it was opened says where it ends`() throws {
    let url = url("file")
    try Data(count: 10).write(to: url)
    let file = try RegularFile(at: url)
    #expect(truncate(url.path, 4) == 0)
    #expect(try file.read(0..<4) == Data(count: 4))
    #expect(throws: FileError.truncated(file: url.path, offset: 4)) { try file.read(0..<10) }
  }

  @Test func `A file stays the one that it was when it was opened`() throws {
    let url = url("file")
    try Data("before".utf8).write(to: url)
    let file = try RegularFile(at: url)
    let mapping = try file.mapped()
    try FileSystem.live.write(Data("after that".utf8), to: url)
    #expect(file.byteCount == 6 && file.path == url.path)
    #expect(try file.read(0..<6) == Data("before".utf8))
    #expect(try file.read(2..<5) == Data("for".utf8))
    #expect(try file.read(6..<6) == Data() && file.read(9..<9) == Data())
    #expect(throws: FileError.truncated(file: url.path, offset: 6)) { try file.read(2..<7) }
    #expect(mapping.map { Data($0.bytes) } == Data("before".utf8))
    #expect(try FileSystem.live.read(url, limit: 10) == Data("after that".utf8))
  }

  @Test func `Nothing of an empty file is mapped`() throws {
    try Data().write(to: url("file"))
    let mapping = try RegularFile(at: url("file")).mapped()
    #expect(mapping == nil)
  }

  @Test func `A link is checked, and opened, as what it leads to`() throws {
    try Data("x".utf8).write(to: url("file"))
    #expect(mkfifo(url("pipe").path, 0o600) == 0)
    for (name, target) in [("good", "file"), ("bad", "pipe"), ("nowhere", "absent")] {
      try FileManager.default.createSymbolicLink(at: url(name), withDestinationURL: url(target))
    }
    try RegularFile.check(url("good"))
    try RegularFile.check(url("nowhere"))
    #expect(try FileSystem.live.read(url("good"), limit: 1) == Data("x".utf8))
    #expect(throws: FileError.notAFile(file: url("bad").path, kind: .pipe)) {
      try RegularFile.check(url("bad"))
    }
    #expect(throws: FileError.absent(file: url("nowhere").path)) {
      try FileSystem.live.read(url("nowhere"), limit: 1)
    }
  }

  @Test func `A document that is larger than any of its kind is not read`() throws {
    let url = url("file")
    try Data(count: 10).write(to: url)
    #expect(throws: FileError.unreadable(file: url.path, reason: "it has more than 9 bytes")) {
      try FileSystem.live.read(url, limit: 9)
    }
    #expect(try FileSystem.live.read(url, limit: 10).count == 10)
  }

  @Test func `A file that was written to in place has another stamp, be its date set back`()
    throws
  {
    let url = url("file")
    try Data("before".utf8).write(to: url)
    let before = try #require(try FileStatus(at: url)).stamp
    var status = stat()
    try #require(stat(url.path, &status) == 0)
    var after = before
    // The system's clock for files stands still for some milliseconds at a time.
    while after == before, status.st_ctim.tv_sec + 10 > time(nil) {
      let handle = try FileHandle(forUpdating: url)
      try handle.write(contentsOf: Data("behind".utf8))
      try handle.close()
      try #require(utimensat(AT_FDCWD, url.path, [status.st_atim, status.st_mtim], 0) == 0)
      after = try #require(try FileStatus(at: url)).stamp
    }
    #expect(after != before && after.size == before.size && after.modified == before.modified)
  }

  @Test func `A listing leaves out what is neither file nor folder`() throws {
    try Data(count: 3).write(to: url("b"))
    try FileManager.default.createDirectory(at: url("a"), withIntermediateDirectories: false)
    #expect(mkfifo(url("pipe").path, 0o600) == 0 && mkfifo(url(".hidden").path, 0o600) == 0)
    let items = try FolderListing(of: temporaryDirectory).items
    #expect(items.map(\.name) == ["a", "b"])
    #expect(items.map(\.isFolder) == [true, false] && items[1].stamp.size == 3)
  }
}
