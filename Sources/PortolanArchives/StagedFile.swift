public import Foundation
internal import Glibc

/// A file being written beside the place that it will take.
///
/// Nobody sees it under its name before it is whole and on the disk: ``commit()`` syncs it,
/// renames it over what was there, and syncs the folder. One that goes without being committed
/// is removed; one left by a crash ends in `.part`, and ``removeAbandoned(in:)`` removes it.
@safe
public struct StagedFile: ~Copyable {
  private let descriptor: Int32
  private let temporaryPath: String
  /// Where the file is until it is committed, for a library that writes it itself and is done
  /// before.
  public var temporaryURL: URL { URL(filePath: temporaryPath) }
  private let path: String
  /// Where the next write goes, in bytes.
  public private(set) var count = 0
  private var isCommitted = false

  /// Creates an empty file in the folder of `url`, which must exist.
  ///
  /// - Parameters:
  ///   - url: The place that it will take.
  ///   - permissions: Who may read and write it, less what the process forbids.
  /// - Throws: ``ArchiveError/unwritable(file:reason:)``.
  public init(replacing url: URL, permissions: UInt32 = 0o644) throws(ArchiveError) {
    let path = url.path(percentEncoded: false)
    let temporaryPath = url.deletingLastPathComponent().appending(path: StagedName.random())
      .path(percentEncoded: false)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe Glibc.open(temporaryPath, flags, permissions)
    guard descriptor >= 0 else {
      throw .unwritable(file: path, reason: SystemCall.failure())
    }
    StagedName.claim(descriptor)
    self.path = path
    self.temporaryPath = temporaryPath
    self.descriptor = descriptor
  }

  deinit {
    Glibc.close(descriptor)
    if !isCommitted { unsafe _ = unlink(temporaryPath) }
  }

  /// Appends bytes.
  public mutating func write(_ data: Data) throws(ArchiveError) {
    let (descriptor, count, path) = (descriptor, count, path)
    try unsafe data.lend { bytes throws(ArchiveError) in
      try unsafe Self.write(bytes, at: count, to: descriptor, path)
    }
    self.count += data.count
  }

  /// Appends bytes.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    try unsafe Self.write(bytes, at: count, to: descriptor, path)
    count += bytes.count
  }

  /// Replaces bytes that were written before, such as a header whose sizes were not yet known.
  public func overwrite(_ data: Data, at offset: Int) throws(ArchiveError) {
    let (descriptor, path) = (descriptor, path)
    try unsafe data.lend { bytes throws(ArchiveError) in
      try unsafe Self.write(bytes, at: offset, to: descriptor, path)
    }
  }

  /// A copy of bytes that were written before.
  ///
  /// - Throws: ``ArchiveError/truncated(file:offset:)`` if there are not so many,
  ///   ``ArchiveError/unreadable(file:reason:)``.
  public func read(_ range: Range<Int>) throws(ArchiveError) -> Data {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw .truncated(file: path, offset: range.upperBound)
    }
    var data = Data(count: range.count)
    var done = 0
    while done < range.count {
      let count = unsafe data.withUnsafeMutableBytes { bytes in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
        return unsafe pread(descriptor, rest.baseAddress, rest.count, range.lowerBound + done)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .unreadable(file: path, reason: SystemCall.failure()) }
      done += count
    }
    return data
  }

  /// Puts the file in its place, durably.
  public consuming func commit() throws(ArchiveError) {
    guard fsync(descriptor) == 0, unsafe rename(temporaryPath, path) == 0 else {
      throw .unwritable(file: path, reason: SystemCall.failure())
    }
    isCommitted = true
    try Self.syncFolder(of: path)
  }

  /// A rename survives a power cut only when the folder is synced too.
  static func syncFolder(of path: String) throws(ArchiveError) {
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unwritable(file: path, reason: SystemCall.failure()) }
    defer { Glibc.close(descriptor) }
    // Some file systems cannot sync a folder and say so; there is nothing more to be done.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .unwritable(file: path, reason: SystemCall.failure())
    }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, to descriptor: Int32, _ path: String
  ) throws(ArchiveError) {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .unwritable(file: path, reason: SystemCall.failure()) }
      done += count
    }
  }
}
