internal import CFileSystem
public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock on one byte of a file that need not reach so far; it goes with its last reference or its
/// process, so that nothing is left to clear up.
@safe
public final class ByteLock: Sendable {
  private let descriptor: Int32
  private let offset: Int64

  private init(_ descriptor: Int32, _ offset: Int64) {
    self.descriptor = descriptor
    self.offset = offset
  }

  deinit {
    // As with ``FileLock``: no copy of the descriptor keeps the lock.
    release()
    close(descriptor)
  }

  /// Gives the lock back before its last reference goes.
  public func release() { _ = cfilesystem_unlock_byte(descriptor, offset) }

  /// Locks a byte if it is free; the file is made, for its owner only, if it is not there.
  ///
  /// - Parameters:
  ///   - offset: Which byte.
  ///   - url: The file.
  ///   - isShared: Whether others may lock it so, too; who wants it alone then has to wait for all.
  ///   - fileSystem: The file system.
  /// - Returns: `nil` if it is locked, even by this process.
  /// - Throws: ``FileError/unwritable(file:reason:)`` and the like.
  public static func attempt(
    at offset: Int64, of url: URL, sharing isShared: Bool = false,
    in fileSystem: FileSystem = .live
  ) throws(FileError) -> ByteLock? {
    let lock = ByteLock(try open(url, in: fileSystem), offset)
    let answer =
      isShared
      ? cfilesystem_share_byte(lock.descriptor, offset)
      : cfilesystem_lock_byte(lock.descriptor, offset)
    guard answer != 0 else { return lock }
    let code = errno
    guard code == EAGAIN || code == EACCES else {
      throw FileError(.create(url.plainPath), code: code)
    }
    return nil
  }

  /// Whether a byte is locked; if `isAlone`, whether it is locked exclusively.
  ///
  /// - Throws: as ``attempt(at:of:sharing:in:)`` does.
  public static func isHeld(
    at offset: Int64, of url: URL, alone isAlone: Bool = false,
    in fileSystem: FileSystem = .live
  ) throws(FileError) -> Bool {
    let descriptor = try open(url, in: fileSystem)
    defer { close(descriptor) }
    let answer = cfilesystem_byte_is_locked(descriptor, offset, isAlone ? 1 : 0)
    guard answer >= 0 else { throw FileError(.create(url.plainPath), code: errno) }
    return answer == 1
  }

  /// The bytes of a range that are locked, shared or alone, in their order.
  ///
  /// - Parameters:
  ///   - range: Where to look.
  ///   - url: The file.
  ///   - fileSystem: The file system.
  /// - Returns: Their places.
  /// - Throws: as ``attempt(at:of:sharing:in:)`` does.
  public static func held(
    in range: Range<Int64>, of url: URL, in fileSystem: FileSystem = .live
  ) throws(FileError) -> [Int64] {
    let descriptor = try open(url, in: fileSystem)
    defer { close(descriptor) }
    var (found, unseen): ([Int64], [Range<Int64>]) = ([], [range])
    while let range = unseen.popLast() {
      guard !range.isEmpty else { continue }
      // The system names one of several, and not always the first.
      let offset = cfilesystem_find_locked_byte(
        descriptor, range.lowerBound, range.upperBound - range.lowerBound)
      guard offset != -1 else { throw FileError(.create(url.plainPath), code: errno) }
      guard range.contains(offset) else { continue }
      found.append(offset)
      unseen += [range.lowerBound..<offset, offset + 1..<range.upperBound]
    }
    return found.sorted()
  }

  private static func open(_ url: URL, in fileSystem: FileSystem) throws(FileError) -> Int32 {
    try fileSystem.open(url.plainPath, O_RDWR | O_CREAT | O_NOFOLLOW, permissions: 0o600)
  }
}
