public import Foundation
internal import Glibc

/// A file, opened once and read by range until the last reference goes.
///
/// It reads the file that had the name when it was opened, even if another has taken the name
/// since. Files that Portolan writes are replaced by renaming and never cut, so a source of one
/// stays good.
@safe
public final class FileByteSource: ByteSource {
  /// How bytes come from the file.
  public enum Access: Sendable {
    /// One system call a read. Safe with any file: one that was cut since it was opened gives
    /// ``ArchiveError/truncated(file:offset:)``.
    case copying

    /// The file is mapped into memory; reads are copies from there, and lending copies nothing.
    ///
    /// About twice as fast for tiles. But if another program cuts the file while it is mapped,
    /// or its disk fails, the system ends this process: use it for what lies in a folder of
    /// ours, and ``copying`` for everything else.
    case mapped
  }

  public let name: String
  public let count: Int
  private let descriptor: Int32
  /// Never written through, and unmapped only when the last reference is gone, so any thread may
  /// read it.
  private nonisolated(unsafe) let mapping: UnsafeRawPointer?

  /// Opens a regular file for reading.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - access: How its bytes are read.
  /// - Throws: ``ArchiveError/unreadable(file:reason:)``.
  public init(at url: URL, access: Access = .copying) throws(ArchiveError) {
    name = url.path(percentEncoded: false)
    // A pipe in a folder of strangers must not make us wait for its writer.
    descriptor = unsafe Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(file: name, reason: SystemCall.failure()) }
    do {
      count = try Self.size(of: descriptor, name: name)
      unsafe mapping =
        access == .mapped && count > 0 ? try Self.map(descriptor, count, name: name) : nil
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  deinit {
    if let mapping = unsafe mapping {
      unsafe munmap(UnsafeMutableRawPointer(mutating: mapping), count)
    }
    Glibc.close(descriptor)
  }

  public func read(_ range: Range<Int>) throws(ArchiveError) -> Data {
    try check(range)
    if let mapping = unsafe mapping {
      return unsafe Data(bytes: mapping + range.lowerBound, count: range.count)
    }
    guard !range.isEmpty else { return Data() }
    // Not `Data(count:)`, which writes zeros that the read then replaces.
    guard let buffer = unsafe malloc(range.count) else {
      throw .unreadable(file: name, reason: SystemCall.failure())
    }
    do {
      try unsafe fill(
        UnsafeMutableRawBufferPointer(start: buffer, count: range.count), from: range.lowerBound)
    } catch {
      unsafe free(buffer)
      throw error
    }
    return unsafe Data(bytesNoCopy: buffer, count: range.count, deallocator: .free)
  }

  public func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    guard let mapping = unsafe mapping else { return try unsafe read(range).lend(body) }
    try check(range)
    return try unsafe body(
      UnsafeRawBufferPointer(start: mapping + range.lowerBound, count: range.count))
  }

  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from offset: Int
  ) throws(ArchiveError) {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = unsafe pread(descriptor, rest.baseAddress, rest.count, offset + done)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(file: name, reason: SystemCall.failure()) }
      guard count > 0 else { throw .truncated(file: name, offset: offset + done) }
      done += count
    }
  }

  private static func size(of descriptor: Int32, name: String) throws(ArchiveError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .unreadable(file: name, reason: SystemCall.failure())
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(file: name, reason: "it is not a file")
    }
    return Int(status.st_size)
  }

  private static func map(
    _ descriptor: Int32, _ count: Int, name: String
  ) throws(ArchiveError) -> UnsafeRawPointer {
    let address = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      throw .unreadable(file: name, reason: SystemCall.failure())
    }
    return UnsafeRawPointer(address)
  }
}
