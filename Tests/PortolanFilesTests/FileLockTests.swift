import Foundation
import Glibc
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanFiles

@Suite(.temporaryDirectory) struct FileLockTests {
  private var subject: FileLock.Subject { .lockFile(lockFile) }
  private var lockFile: URL { temporaryDirectory.appending(path: ".lock") }

  @Test func `A held lock is not given again until it is released`() throws {
    let first = try #require(try FileLock.attempt(.exclusive, on: subject))
    #expect(try FileLock.attempt(.shared, on: subject) == nil)
    first.release()
    let second = try FileLock.attempt(.shared, on: subject)
    let third = try FileLock.attempt(.shared, on: subject)
    #expect(second != nil && third != nil)
    #expect(try FileLock.attempt(.exclusive, on: subject) == nil)
  }

  @Test func `A lock is on the file that was locked, and not on what takes its place`() throws {
    let lock = try #require(try FileLock.attempt(.exclusive, on: subject))
    #expect(try lock.isOn(lockFile))
    let moved = temporaryDirectory.appending(path: "moved")
    try FileManager.default.moveItem(at: lockFile, to: moved)
    #expect(try !lock.isOn(lockFile))
    try Data().write(to: lockFile)
    #expect(try !lock.isOn(lockFile))
    #expect(try lock.isOn(moved))
  }

  @Test func `A file is locked alone where only who may write to it may do so`() throws {
    let file = temporaryDirectory.appending(path: "package")
    try Data("x".utf8).write(to: file)
    let path = file.plainPath
    let calls = Mutex<[FileSystemCall]>([])
    // As network file systems answer to whoever has opened a file for reading.
    let disk = FileSystem { call in
      calls.withLock { calls in
        calls.append(call)
        return call == .lock(path) && !calls.contains(.create(path)) ? EBADF : nil
      }
    }
    let lock = try #require(try FileLock.attempt(.exclusive, on: .item(file), in: disk))
    #expect(lock.isEffective)
    #expect(try FileLock.attempt(.shared, on: .item(file)) == nil)
    #expect(
      calls.withLock { $0 } == [.open(path), .lock(path), .create(path), .lock(path)])
    #expect(try Data(contentsOf: file) == Data("x".utf8))
  }

  @Test func `A link in the place of a lock file is not followed`() throws {
    let far = temporaryDirectory.appending(path: "far")
    try FileManager.default.createSymbolicLink(at: lockFile, withDestinationURL: far)
    #expect(throws: FileError.self) { try FileLock.attempt(.exclusive, on: subject) }
    #expect(!FileSystem.live.exists(far))
  }

  @Test(.needsMounting)
  func `A lock file that is there serves on a medium that can only be read`() throws {
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { folder in
      try Data().write(to: folder.appending(path: "there"))
    }
    let there = FileLock.Subject.lockFile(medium.url.appending(path: "there"))
    let lock = try #require(try FileLock.attempt(.exclusive, on: there))
    #expect(lock.isEffective)
    #expect(try FileLock.attempt(.exclusive, on: there) == nil)
    let absent = FileLock.Subject.lockFile(medium.url.appending(path: "absent"))
    #expect(throws: FileError.self) { try FileLock.attempt(.exclusive, on: absent) }
  }

  @Test func `A thread that waits for a lock has it once it is released`() async throws {
    let url = temporaryDirectory.appending(path: "awaited.lock")
    let held = try #require(try FileLock.attempt(.exclusive, on: .lockFile(url)))
    try await withThrowingTaskGroup(of: FileLock?.self) { group in
      group.addTask { try await onOwnThread { try FileLock.wait(.exclusive, on: .lockFile(url)) } }
      group.addTask {
        defer { held.release() }
        while try !Self.isAwaited(url), !Task.isCancelled { await Task.yield() }
        return nil
      }
      for try await lock in group {
        guard let lock else { continue }
        #expect(lock.isEffective)
        #expect(try FileLock.attempt(.exclusive, on: .lockFile(url)) == nil)
      }
    }
  }

  /// Whether the system lists somebody who waits for a lock on a file.
  private static func isAwaited(_ url: URL) throws -> Bool {
    let number = try #require(try FileStatus(at: url)).identity.number
    let locks = try #require(SystemText.read("/proc/locks"))
    return locks.split(separator: "\n").contains {
      $0.contains("-> FLOCK") && $0.contains(":\(number) ")
    }
  }

  @Test func `Where the storage knows no locks each that is given says so`() throws {
    let storage = FileSystem { call in if case .lock = call { ENOLCK } else { nil } }
    let first = try #require(try FileLock.attempt(.exclusive, on: subject, in: storage))
    let second = try #require(try FileLock.attempt(.exclusive, on: subject, in: storage))
    #expect(!first.isEffective && !second.isEffective)
  }

  /// The outcome of a lock that the system refuses with an error.
  private enum Outcome: Equatable {
    case lock(isEffective: Bool)
    case held
    case failed(FileError?)

    init(_ attempt: () throws -> FileLock?) {
      do {
        if let lock = try attempt() {
          self = .lock(isEffective: lock.isEffective)
        } else {
          self = .held
        }
      } catch {
        self = .failed(error as? FileError)
      }
    }
  }

  @Test func `A system error about a lock is distinguished from a held lock`() {
    let path = lockFile.path
    func failure(_ reason: String) -> Outcome { .failed(.unreadable(file: path, reason: reason)) }
    let busy = "Resource temporarily unavailable"
    let outcomes: [(code: Int32, attempt: Outcome, wait: Outcome)] = [
      (ENOTSUP, .lock(isEffective: false), .lock(isEffective: false)),
      (ENOLCK, .lock(isEffective: false), .lock(isEffective: false)),
      (ENOSYS, .lock(isEffective: false), .lock(isEffective: false)),
      (EWOULDBLOCK, .held, failure(busy)),
      (EIO, failure("Input/output error"), failure("Input/output error")),
      // A signal is no answer: it is asked again.
      (EINTR, .lock(isEffective: true), .lock(isEffective: true)),
    ]
    for outcome in outcomes {
      let code = outcome.code
      let storage = FileSystem { call in if case .lock = call { code } else { nil } }
      let attempt = Outcome { try FileLock.attempt(.exclusive, on: subject, in: storage) }
      #expect(attempt == outcome.attempt, "\(code)")
      let wait = Outcome { try FileLock.wait(.exclusive, on: subject, in: storage) }
      #expect(wait == outcome.wait, "\(code)")
    }
  }

  @Test func `Files of locks are for their owner only`() throws {
    let bytes = temporaryDirectory.appending(path: "bytes")
    _ = try FileLock.attempt(.shared, on: subject)
    _ = try ByteLock.attempt(at: 1, of: bytes)
    for file in [lockFile, bytes] { #expect(try FileStatus(at: file)?.permissions == 0o600) }
  }

  @Test func `A patient waiter polls often at first, then less, for a second in all`()
    async throws
  {
    let held = try #require(try FileLock.attempt(.exclusive, on: subject))
    let pauses = Mutex<[Duration]>([])
    let clock = CountingClock { waited in pauses.withLock { $0.append(waited) } }
    #expect(try await FileLock.attempt(.shared, on: subject, patientlyBy: clock) == nil)
    let looks = pauses.withLock { $0 }
    #expect(looks.count == 66 && looks.last == .seconds(1))
    #expect(looks.prefix(2) == [.milliseconds(4), .milliseconds(8)])
    #expect(looks[49...50] == [.milliseconds(200), .milliseconds(250)])
    withExtendedLifetime(held) {}
  }

  @Test func `Nothing stays open, whatever becomes of it`() throws {
    let folder = temporaryDirectory.resolvingSymlinksInPath()
    let (file, bytes) = (folder.appending(path: "file"), folder.appending(path: "bytes"))
    let held = try #require(try FileLock.attempt(.exclusive, on: subject))
    let byte = try #require(try ByteLock.attempt(at: 7, of: bytes))
    let failing = FileSystem { call in
      switch call {
      case .lock: EIO
      case .sync: EIO
      default: nil
      }
    }
    for _ in 1...3 {
      #expect(try FileLock.attempt(.shared, on: subject) == nil)
      #expect(throws: FileError.self) {
        try FileLock.attempt(.shared, on: .lockFile(file), in: failing)
      }
      #expect(throws: FileError.self) {
        try FileLock.wait(.shared, on: .lockFile(file), in: failing)
      }
      #expect(try ByteLock.attempt(at: 7, of: bytes) == nil)
      #expect(try ByteLock.isHeld(at: 7, of: bytes))
      #expect(throws: FileError.self) { _ = try RegularFile(at: folder) }
      #expect(throws: FileError.self) { try failing.write(Data([1]), to: file) }
      #expect(throws: FileError.self) { try failing.syncFolder(folder) }
      #expect(throws: FileError.self) {
        try StagedFolder(folder.appending(path: "map"), in: failing).commit()
      }
      try FileSystem.live.write(Data([1]), to: file)
      try FileSystem.live.sync(folder)
      _ = try FileSystem.live.names(in: folder)
    }
    #expect(try openFiles(in: folder) == [".lock", "bytes"])
    held.release()
    byte.release()
  }

  /// The names of the files below a folder that this process has open, and of the folder itself.
  private func openFiles(in folder: URL) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let paths = names.compactMap {
      // Descriptors come and go.
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    return paths.filter { $0.hasPrefix(folder.path) }
      .map { String($0.split(separator: "/").last ?? "") }.sorted()
  }

  @Test func `A folder can be locked itself`() throws {
    let lock = try FileLock.attempt(.exclusive, on: .item(temporaryDirectory))
    #expect(try FileLock.attempt(.shared, on: .item(temporaryDirectory)) == nil)
    withExtendedLifetime(lock) {}
  }

  @Test func `Locking does not create a missing file`() {
    let url = temporaryDirectory.appending(path: "absent")
    #expect(throws: FileError.absent(file: url.path)) {
      try FileLock.attempt(.shared, on: .item(url))
    }
    #expect(!FileSystem.live.exists(url))
  }

  @Test func `A waiter learns after a second which process holds the lock`() async throws {
    let held = try #require(try FileLock.attempt(.exclusive, on: subject))
    let told = Mutex<[FileLockHolder?]>([])
    let clock = CountingClock { waited in if waited >= .seconds(3) { held.release() } }
    _ = try await FileLock.acquire(.exclusive, on: subject, clock: clock) { holder in
      told.withLock { $0.append(holder) }
    }
    let holders = told.withLock { $0 }
    #expect(holders.map { $0?.processID } == [getpid()])
    #expect(holders.first??.program != nil)
  }

  @Test func `A holder is found among more locks than one page lists`() throws {
    let urls = (0..<300).map { temporaryDirectory.appending(path: "\($0)") }
    let locks = try urls.map { try FileLock.attempt(.exclusive, on: .lockFile($0)) }
    #expect(urls.allSatisfy { FileLockHolder.find(for: $0)?.processID == getpid() })
    withExtendedLifetime(locks) {}
  }

  @Test func `A lock that is free after a moment is taken without a word`() async throws {
    let held = try #require(try FileLock.attempt(.exclusive, on: subject))
    let clock = CountingClock { waited in if waited >= .milliseconds(500) { held.release() } }
    _ = try await FileLock.acquire(.exclusive, on: subject, clock: clock) { _ in
      Issue.record("nobody waited for a second")
    }
  }

  @Test func `Waiting for a lock can be cancelled`() async throws {
    let held = try FileLock.attempt(.exclusive, on: subject)
    let subject = subject
    let task = Task {
      try await FileLock.acquire(.exclusive, on: subject, clock: ContinuousClock())
    }
    task.cancel()
    await #expect(throws: FileError.cancelled) { try await task.value }
    withExtendedLifetime(held) {}
  }

  @Test func `A lock goes with its last reference, though a copy of its descriptor is open`() throws
  {
    var lock = try FileLock.attempt(.exclusive, on: subject)
    let copy = dup(try descriptor(of: lockFile))
    defer { close(copy) }
    #expect(lock?.isEffective == true)
    lock = nil
    #expect(try FileLock.attempt(.exclusive, on: subject) != nil)
  }

  @Test func `A byte is free with the last reference to its lock, whatever copies there are`()
    throws
  {
    let url = temporaryDirectory.appending(path: "locks")
    var lock = try ByteLock.attempt(at: 7, of: url)
    let copy = dup(try descriptor(of: url))
    defer { close(copy) }
    #expect(lock != nil)
    lock = nil
    #expect(try ByteLock.attempt(at: 7, of: url) != nil)
  }

  /// A process that is being started holds copies of the descriptors of this one for a moment.
  private func descriptor(of url: URL) throws -> Int32 {
    let path = url.resolvingSymlinksInPath().path
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let name = names.first {
      // Descriptors come and go.
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
    return try #require(name.flatMap { Int32($0) })
  }

  @Test func `One byte of a file is locked for one at a time`() throws {
    let url = temporaryDirectory.appending(path: "locks")
    let first = try #require(try ByteLock.attempt(at: 7, of: url))
    #expect(try ByteLock.attempt(at: 7, of: url) == nil)
    #expect(try ByteLock.isHeld(at: 7, of: url) && !ByteLock.isHeld(at: 8, of: url))
    first.release()
    #expect(try ByteLock.attempt(at: 7, of: url) != nil)
  }

  @Test func `All locked bytes of a range are found, shared or not, and none beside it`() throws {
    let url = temporaryDirectory.appending(path: "locks")
    let start: Int64 = 1 << 62
    #expect(try ByteLock.held(in: start..<start + 100, of: url) == [])
    let alone = try [-1, 0, 7, 8, 99, 100].map { try ByteLock.attempt(at: start + $0, of: url) }
    let shared = try [7, 50, 50].map {
      try ByteLock.attempt(at: start + $0, of: url, sharing: true)
    }
    #expect(alone.allSatisfy { $0 != nil } && shared.map { $0 != nil } == [false, true, true])
    #expect(
      try ByteLock.held(in: start..<start + 100, of: url) == [0, 7, 8, 50, 99].map { start + $0 })
    #expect(try ByteLock.held(in: start..<start, of: url) == [])
    withExtendedLifetime((alone, shared)) {}
  }

  @Test func `Several processes may share a byte, and none has it exclusively meanwhile`() throws {
    let url = temporaryDirectory.appending(path: "locks")
    let readers = try (0..<2).map { _ in
      try #require(try ByteLock.attempt(at: 7, of: url, sharing: true))
    }
    #expect(try ByteLock.attempt(at: 7, of: url) == nil)
    #expect(try ByteLock.isHeld(at: 7, of: url))
    #expect(try !ByteLock.isHeld(at: 7, of: url, alone: true))
    for reader in readers { reader.release() }
    let writer = try #require(try ByteLock.attempt(at: 7, of: url))
    #expect(try ByteLock.isHeld(at: 7, of: url, alone: true))
    #expect(try ByteLock.attempt(at: 7, of: url, sharing: true) == nil)
    writer.release()
  }
}
