public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file being written beside the place that it will take.
///
/// It does not appear under its name before it is whole and on the disk: ``commit(_:replacing:)``
/// syncs it, renames it over what was there, unless that is to stay, and syncs the folder. One that
/// goes without being committed is removed; one left by a crash ends in `.part`, and
/// ``removeAbandoned(in:)`` removes it.
@safe
public struct StagedFile: ~Copyable {
  private let descriptor: Int32
  private let fileSystem: FileSystem
  private let url: URL
  /// The name of that place in messages.
  private let shown: URL
  /// The location of the file until it is committed, for a library that writes it itself and is
  /// done before.
  public let temporaryURL: URL
  /// The offset of the next write, in bytes.
  public private(set) var count = 0
  private var isCommitted = false

  /// Creates an empty file in the folder of `url`, which must exist.
  ///
  /// - Parameters:
  ///   - url: The place that it will take.
  ///   - permissions: Who may read and write it, less what the process forbids.
  ///   - fileSystem: Where it is written.
  /// - Throws: ``FileError/unwritable(file:reason:)`` and the like.
  public init(
    replacing url: URL, permissions: UInt32 = 0o644, in fileSystem: FileSystem = .live
  ) throws(FileError) {
    try self.init(replacing: url, shownAs: url, permissions: permissions, in: fileSystem)
  }

  /// Creates an empty file for a place that messages call something else, as in a folder that is
  /// hidden until it is whole.
  init(
    replacing url: URL, shownAs shown: URL, permissions: UInt32 = 0o644, in fileSystem: FileSystem
  ) throws(FileError) {
    let temporaryURL = url.deletingLastPathComponent().appending(path: StagedName.random())
    let descriptor: Int32
    do {
      descriptor = try fileSystem.open(
        temporaryURL.plainPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: permissions)
    } catch {
      throw error.naming(shown)
    }
    StagedName.claim(descriptor)
    self.descriptor = descriptor
    self.url = url
    self.shown = shown
    self.fileSystem = fileSystem
    self.temporaryURL = temporaryURL
  }

  deinit {
    close(descriptor)
    if !isCommitted { unsafe _ = unlink(temporaryURL.plainPath) }
  }

  /// Appends bytes.
  public mutating func write(_ data: Data) throws(FileError) {
    try overwrite(data, at: count)
    count += data.count
  }

  /// Appends bytes.
  public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try unsafe fileSystem.write(bytes, at: count, to: descriptor, shown.plainPath)
    count += bytes.count
  }

  /// Replaces bytes that were written before, such as a header whose sizes were not yet known.
  public func overwrite(_ data: Data, at offset: Int) throws(FileError) {
    let (descriptor, path, fileSystem) = (descriptor, shown.plainPath, fileSystem)
    let result = unsafe data.withUnsafeBytes { bytes in
      Result { () throws(FileError) in
        try unsafe fileSystem.write(bytes, at: offset, to: descriptor, path)
      }
    }
    try result.get()
  }

  /// A copy of bytes that were written before.
  ///
  /// - Throws: ``FileError/truncated(file:offset:)`` if there are not so many,
  ///   ``FileError/unreadable(file:reason:)``.
  public func read(_ range: Range<Int>) throws(FileError) -> Data {
    let path = shown.plainPath
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw .truncated(file: path, offset: range.upperBound)
    }
    var data = Data(count: range.count)
    let descriptor = descriptor
    let result = unsafe data.withUnsafeMutableBytes { bytes in
      Result { () throws(FileError) in
        try unsafe RegularFile.read(into: bytes, at: range.lowerBound, from: descriptor, path)
      }
    }
    try result.get()
    return data
  }

  /// Puts the file in its place, durably unless it is scratch.
  ///
  /// - Parameters:
  ///   - durability: What it must survive.
  ///   - replaces: Whether it takes the place of what is there by now.
  /// - Throws: ``FileError/durabilityUnknown(file:reason:)`` when it is in its place and the disk did
  ///   not confirm it; whatever else is thrown, what was there before is there still.
  ///   ``FileError/alreadyExists(file:)`` if something is there that is to stay.
  public consuming func commit(
    _ durability: FileDurability = .durable, replacing replaces: Bool = true
  ) throws(FileError) {
    do {
      if durability == .durable {
        try fileSystem.syncOpen(descriptor, temporaryURL.plainPath)
      }
    } catch {
      throw error.naming(shown)
    }
    do {
      if replaces {
        try fileSystem.rename(temporaryURL, to: url, durability)
      } else {
        try fileSystem.move(temporaryURL, to: url)
      }
    } catch .durabilityUnknown(_, let reason) {
      isCommitted = true
      throw .durabilityUnknown(file: shown.plainPath, reason: reason)
    } catch {
      throw error.showing(shown, for: url)
    }
    isCommitted = true
  }
}

extension FileSystem {
  /// Writes bytes to a place in an open file.
  func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, to descriptor: Int32, _ path: String
  ) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = try perform(.write(path)) {
        unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
      }
      // Nothing written and no reason given: the next try would not end either.
      guard count > 0 else { throw .unwritable(file: path, reason: FileError.reason(EIO)) }
      done += count
    }
  }
}

extension FileError {
  /// The same of the place that a hidden file was to take, since the hidden name means nothing to
  /// people.
  func naming(_ url: URL) -> FileError {
    let file = url.plainPath
    return switch self {
    case .absent: .unwritable(file: file, reason: "its folder does not exist")
    case .unreadable(_, let reason), .unwritable(_, let reason):
      .unwritable(file: file, reason: reason)
    case .readOnly: .readOnly(file: file)
    case .diskFull: .diskFull(file: file)
    case .alreadyExists: .alreadyExists(file: file)
    default: self
    }
  }

  /// The same of what people see, where it is about something hidden or about what lies in it.
  func showing(_ shown: URL, for hidden: URL) -> FileError {
    guard let path = file, path.hasPrefix(hidden.plainPath) else { return self }
    let file = shown.plainPath + path.dropFirst(hidden.plainPath.count)
    return switch self {
    case .absent: .absent(file: file)
    case .unreadable(_, let reason): .unreadable(file: file, reason: reason)
    case .unwritable(_, let reason): .unwritable(file: file, reason: reason)
    case .readOnly: .readOnly(file: file)
    case .diskFull: .diskFull(file: file)
    case .alreadyExists: .alreadyExists(file: file)
    case .notAFile(_, let kind): .notAFile(file: file, kind: kind)
    case .truncated(_, let offset): .truncated(file: file, offset: offset)
    case .unsafePath(_, let path): .unsafePath(folder: file, path: path)
    case .inUse(_, let holder): .inUse(file: file, holder: holder)
    case .durabilityUnknown(_, let reason): .durabilityUnknown(file: file, reason: reason)
    case .cancelled: self
    }
  }
}
