public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock that all processes respect which ask for it, until it is released, or its last reference
/// or its process goes.
///
/// Also two locks of one process exclude each other.
@safe
public final class FileLock: Sendable {
  /// Whether others may hold the lock at the same time.
  public enum Mode: Sendable {
    /// Others that share it.
    case shared
    /// No process.
    case exclusive
  }

  /// The locked file or folder.
  public enum Subject: Hashable, Sendable {
    /// A file that is there for nothing but the lock; it is made, for its owner only, if it is not
    /// there.
    case lockFile(URL)
    /// A file or folder that is there. Not a database that this process has open: when the lock goes,
    /// SQLite's own locks on that file would go too.
    case item(URL)

    var url: URL {
      switch self {
      case .lockFile(let url), .item(let url): url
      }
    }
  }

  private let descriptor: Int32
  /// Whether the lock has any effect; it has none where the file system does not support locks.
  public let isEffective: Bool

  private init(_ descriptor: Int32, isEffective: Bool) {
    self.descriptor = descriptor
    self.isEffective = isEffective
  }

  deinit {
    // A process that another thread is starting holds a copy of the descriptor for a moment, with
    // which the lock would stay.
    release()
    close(descriptor)
  }

  /// Whether what is locked still has a name: before it was locked another process may have moved
  /// or removed it, and put another in its place.
  ///
  /// - Throws: ``FileError/unreadable(file:reason:)`` if that is not permitted.
  public func isOn(_ url: URL) throws(FileError) -> Bool {
    let locked = try FileStatus(of: descriptor, path: url.plainPath)
    return try FileStatus(at: url)?.identity == locked.identity
  }

  /// Gives the lock back before its last reference goes.
  public func release() { flock(descriptor, LOCK_UN) }

  /// Takes a lock if it is free.
  ///
  /// - Returns: `nil` if it is taken.
  /// - Throws: ``FileError/absent(file:)`` if the item is not there, and whatever else opening it
  ///   says.
  public static func attempt(
    _ mode: Mode, on subject: Subject, in fileSystem: FileSystem = .live
  ) throws(FileError) -> FileLock? {
    let (descriptor, code) = try openAndLock(mode, on: subject, in: fileSystem)
    switch code {
    case 0: return FileLock(descriptor, isEffective: true)
    case ENOTSUP, ENOLCK, ENOSYS: return FileLock(descriptor, isEffective: false)
    case EWOULDBLOCK:
      close(descriptor)
      return nil
    case let code:
      close(descriptor)
      throw FileError(.open(subject.url.plainPath), code: code)
    }
  }

  /// Waits for a lock, and blocks the thread meanwhile: not for the threads of tasks.
  ///
  /// - Throws: as ``attempt(_:on:in:)`` does.
  public static func wait(
    _ mode: Mode, on subject: Subject, in fileSystem: FileSystem = .live
  ) throws(FileError) -> FileLock {
    let (descriptor, code) = try openAndLock(mode, on: subject, in: fileSystem, waits: true)
    switch code {
    case 0: return FileLock(descriptor, isEffective: true)
    case ENOTSUP, ENOLCK, ENOSYS: return FileLock(descriptor, isEffective: false)
    case let code:
      close(descriptor)
      throw FileError(.open(subject.url.plainPath), code: code)
    }
  }

  /// Waits for a lock, but for a second at most.
  ///
  /// - Parameters:
  ///   - mode: Who else may have it.
  ///   - subject: What is locked.
  ///   - clock: Measures the pauses between two looks.
  ///   - fileSystem: Where it is.
  /// - Returns: `nil` if it is still taken.
  /// - Throws: as ``attempt(_:on:in:)`` does, and ``FileError/cancelled``.
  public static func attempt(
    _ mode: Mode, on subject: Subject, patientlyBy clock: any Clock<Duration>,
    in fileSystem: FileSystem = .live
  ) async throws(FileError) -> FileLock? {
    var waited = Duration.zero
    while true {
      if let lock = try attempt(mode, on: subject, in: fileSystem) { return lock }
      guard waited < patience else { return nil }
      let pause = waited < shortWait ? shortPause : longPause
      do { try await clock.sleep(for: pause) } catch { throw .cancelled }
      waited += pause
    }
  }

  /// Waits for a lock.
  ///
  /// - Parameters:
  ///   - mode: Who else may have it.
  ///   - subject: What is locked.
  ///   - clock: Measures the pauses between two looks.
  ///   - fileSystem: Where it is.
  ///   - whenHeld: Called once, with the holder of the lock if the system knows it, when it took longer than
  ///     a second.
  /// - Returns: The lock.
  /// - Throws: as ``attempt(_:on:in:)`` does, and ``FileError/cancelled``.
  public static func acquire(
    _ mode: Mode, on subject: Subject, clock: any Clock<Duration>,
    in fileSystem: FileSystem = .live,
    whenHeld: @Sendable (FileLockHolder?) -> Void = { _ in }
  ) async throws(FileError) -> FileLock {
    if let lock = try await attempt(mode, on: subject, patientlyBy: clock, in: fileSystem) {
      return lock
    }
    whenHeld(FileLockHolder.find(for: subject.url))
    while true {
      do { try await clock.sleep(for: longPause) } catch { throw .cancelled }
      if let lock = try attempt(mode, on: subject, in: fileSystem) { return lock }
    }
  }

  /// How long to wait before reporting who holds the lock.
  private static let patience = Duration.seconds(1)
  /// How long it is worth looking often: most locks are held for some milliseconds.
  private static let shortWait = Duration.milliseconds(200)
  private static let shortPause = Duration.milliseconds(4)
  private static let longPause = Duration.milliseconds(50)

  /// Opens what is to be locked, and locks it; the caller closes it.
  ///
  /// - Returns: What is open, and the `errno` with which locking it fails, else 0.
  private static func openAndLock(
    _ mode: Mode, on subject: Subject, in fileSystem: FileSystem, waits: Bool = false
  ) throws(FileError) -> (descriptor: Int32, code: Int32) {
    let descriptor = try open(subject, in: fileSystem)
    let code = lock(descriptor, mode, on: subject, in: fileSystem, waits: waits)
    guard code == EBADF, case .item(let url) = subject else { return (descriptor, code) }
    close(descriptor)
    // Network file systems let nobody lock a file alone who has not opened it for writing.
    let writable = try fileSystem.open(url.plainPath, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
    return (writable, lock(writable, mode, on: subject, in: fileSystem, waits: waits))
  }

  private static func open(
    _ subject: Subject, in fileSystem: FileSystem
  ) throws(FileError) -> Int32 {
    let path = subject.url.plainPath
    let reading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard case .lockFile = subject else { return try fileSystem.open(path, reading) }
    do {
      return try fileSystem.open(
        path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, permissions: 0o600)
    } catch .readOnly {
      // A lock file that is there serves on a medium that can only be read.
      return try fileSystem.open(path, reading)
    }
  }

  /// Locks what is open; returns the `errno` with which that fails, else 0.
  private static func lock(
    _ descriptor: Int32, _ mode: Mode, on subject: Subject, in fileSystem: FileSystem,
    waits: Bool = false
  ) -> Int32 {
    if let code = fileSystem.failure(of: .lock(subject.url.plainPath)), code != EINTR {
      return code
    }
    let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
    while flock(descriptor, operation) != 0 {
      let code = errno
      if code != EINTR { return code }
    }
    return 0
  }
}
