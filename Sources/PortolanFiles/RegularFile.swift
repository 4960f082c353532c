public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A regular file that is open for reading.
///
/// Opening never waits: a named pipe, a device or a folder is refused. It stays the file that had the
/// name when it was opened, even if another has taken the name since.
@safe
public struct RegularFile: ~Copyable, Sendable {
  /// The path at which it was opened.
  public let path: String
  /// The status when it was opened.
  public let status: FileStatus
  private let descriptor: Int32

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file, or a link to it.
  ///   - fileSystem: Where it is.
  /// - Throws: ``FileError/absent(file:)``, ``FileError/notAFile(file:kind:)``,
  ///   ``FileError/unreadable(file:reason:)``.
  public init(at url: URL, in fileSystem: FileSystem = .live) throws(FileError) {
    let path = url.path(percentEncoded: false)
    let descriptor = try Self.open(path, in: fileSystem)
    do {
      self.init(path, try Self.regularStatus(of: descriptor, path), descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func regularStatus(
    of descriptor: Int32, _ path: String
  ) throws(FileError) -> FileStatus {
    let status = try FileStatus(of: descriptor, path: path)
    guard status.kind == .file else { throw .notAFile(file: path, kind: status.kind) }
    return status
  }

  private init(_ path: String, _ status: FileStatus, _ descriptor: Int32) {
    self.path = path
    self.status = status
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The number of bytes that it had when it was opened.
  public var byteCount: Int { status.byteCount }

  /// A copy of some of the bytes.
  ///
  /// - Throws: ``FileError/truncated(file:offset:)`` if the file ends before the range does,
  ///   ``FileError/unreadable(file:reason:)``.
  public func read(_ range: Range<Int>) throws(FileError) -> Data {
    guard !range.isEmpty else { return Data() }
    // Not `Data(count:)`, which writes zeros that the read then replaces.
    guard let buffer = unsafe malloc(range.count) else {
      throw FileError(.open(path), code: errno)
    }
    do {
      try unsafe read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: range.count),
        at: range.lowerBound)
    } catch {
      unsafe free(buffer)
      throw error
    }
    return unsafe Data(bytesNoCopy: buffer, count: range.count, deallocator: .free)
  }

  /// Fills a buffer with the bytes from `offset` on.
  ///
  /// - Throws: as ``read(_:)`` does.
  public func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileError) {
    try unsafe Self.read(into: buffer, at: offset, from: descriptor, path)
  }

  /// Maps the whole file into memory, until the mapping goes; `nil` for an empty file.
  ///
  /// If another program cuts the file while it is mapped, or its disk fails, the system ends this
  /// process: only for files that only Portolan writes.
  public func mapped() throws(FileError) -> FileMapping? {
    byteCount == 0 ? nil : try FileMapping(descriptor, byteCount, path)
  }

  /// Checks that a library may open a file by its name without waiting for ever.
  ///
  /// Nothing is opened, so that no lock that this process holds on the file is released. A file that
  /// is not there passes: the library says so itself.
  ///
  /// - Throws: ``FileError/notAFile(file:kind:)``.
  public static func check(_ url: URL) throws(FileError) {
    guard let status = try FileStatus(at: url, links: .followed), status.kind != .file else {
      return
    }
    throw .notAFile(file: url.plainPath, kind: status.kind)
  }

  private static func open(_ path: String, in fileSystem: FileSystem) throws(FileError) -> Int32 {
    do {
      return try fileSystem.open(path, O_RDONLY | O_NONBLOCK)
    } catch .unreadable(_, FileError.reason(ENXIO)) {
      // Sockets, and devices without a driver, cannot be opened at all.
      let kind = try FileStatus(at: URL(filePath: path), links: .followed)?.kind
      throw .notAFile(file: path, kind: kind ?? .device)
    }
  }

  static func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int, from descriptor: Int32,
    _ path: String
  ) throws(FileError) {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = unsafe pread(descriptor, rest.baseAddress, rest.count, offset + done)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(.open(path), code: errno) }
      guard count > 0 else { throw .truncated(file: path, offset: offset + done) }
      done += count
    }
  }
}
