internal import Foundation
internal import PortolanFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that arrives piece by piece beside the place that it will take; one download at a time
/// has it.
@safe
final class PartFile: Sendable {
  private let descriptor: Int32
  /// The path.
  let path: String

  /// Opens or creates the file, and locks it against other downloads, also in other processes.
  init(at url: URL) throws(TransportError) {
    path = url.path(percentEncoded: false)
    while true {
      let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      let descriptor = unsafe Glibc.open(path, flags, 0o644)
      guard descriptor >= 0 else { throw Self.failure(path) }
      do {
        guard try Self.lock(descriptor, path) else {
          Glibc.close(descriptor)
          continue
        }
      } catch {
        Glibc.close(descriptor)
        throw error
      }
      self.descriptor = descriptor
      return
    }
  }

  deinit { Glibc.close(descriptor) }

  /// Lets the next download have the file, once nothing is written to it any more.
  ///
  /// The task of the last attempt may hold it, and its lock, for another moment.
  func release() { flock(descriptor, LOCK_UN) }

  /// How many bytes it has.
  func size() throws(TransportError) -> Int { Int(try Self.status(descriptor, path).st_size) }

  /// Writes bytes at a place.
  ///
  /// - Throws: ``TransportError/diskFull(file:needed:)`` without `needed`,
  ///   ``TransportError/storage(file:reason:)``.
  func write(_ bytes: RawSpan, at offset: Int) throws(TransportError) {
    let (descriptor, path) = (descriptor, path)
    let failure: TransportError? = unsafe bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return Self.failure(path) }
        done += count
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Lends all bytes up to `end`, piece by piece.
  func read(upTo end: Int, _ body: (RawSpan) -> Void) throws(TransportError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset = 0
    while offset < end {
      let wanted = min(buffer.count, end - offset)
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, wanted, offset)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path) }
      unsafe body(buffer.span.bytes.extracting(0..<count))
      offset += count
    }
  }

  /// Cuts the file.
  func truncate(to count: Int) throws(TransportError) {
    guard ftruncate(descriptor, count) == 0 else { throw Self.failure(path) }
  }

  /// Bytes that the disk has space for; `nil` where it does not say.
  func freeSpace() -> Int? { FreeSpace.byteCount(at: URL(filePath: path)) }

  /// Puts the file in its place, durably.
  func commit(to target: URL, in files: FileSystem = .live) throws(TransportError) {
    let url = URL(filePath: path)
    do {
      try files.sync(url)
      try files.rename(url, to: target)
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: FileError) -> TransportError {
    let file = error.file ?? "The download"
    if case .diskFull = error { return .diskFull(file: file, needed: nil) }
    return .storage(file: file, reason: error.reason)
  }

  /// The error of the last system call of this thread.
  static func failure(_ path: String, code: Int32 = errno) -> TransportError {
    switch code {
    case ENOSPC, EDQUOT: .diskFull(file: path, needed: nil)
    default: .storage(file: path, reason: unsafe String(cString: strerror(code)))
    }
  }

  /// Whether the file was locked; not if it lost its name meanwhile, since another download has
  /// then put it in its place.
  private static func lock(_ descriptor: Int32, _ path: String) throws(TransportError) -> Bool {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw failure(path) }
      throw .storage(file: path, reason: "another download is writing it")
    }
    let opened = try status(descriptor, path)
    guard opened.st_mode & S_IFMT == S_IFREG else {
      throw .storage(file: path, reason: "it is not a file")
    }
    var named = stat()
    return unsafe lstat(path, &named) == 0 && named.st_ino == opened.st_ino
      && named.st_dev == opened.st_dev
  }

  private static func status(_ descriptor: Int32, _ path: String) throws(TransportError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path) }
    return status
  }
}
