public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of this machine, written so that a power cut leaves them as before or as after.
///
/// A value that is passed to whatever writes. ``live`` makes every call; one that a test makes can
/// record the calls in their order and let any of them fail with an `errno` of its choice, while all
/// others are made for real.
public struct FileSystem: Sendable {
  private let fault: @Sendable (FileSystemCall) -> Int32?

  /// The file system as it is.
  public static let live = FileSystem { _ in nil }

  /// Creates a file system some of whose calls fail.
  ///
  /// - Parameter fault: Called before each call; the `errno` that the call is to fail with, without
  ///   being made, or `nil` to make it.
  public init(failing fault: @escaping @Sendable (FileSystemCall) -> Int32?) {
    self.fault = fault
  }

  /// Makes a call, again where a signal interrupted it.
  ///
  /// - Parameters:
  ///   - call: What is asked.
  ///   - harmless: An `errno` that is no failure of this call.
  ///   - body: Asks the system.
  /// - Returns: What the call returns, which is not negative.
  /// - Throws: The error that its `errno` stands for.
  @discardableResult
  func perform<Result: SignedInteger>(
    _ call: FileSystemCall, ignoring harmless: Int32? = nil, _ body: () -> Result
  ) throws(FileError) -> Result {
    var code = fault(call)
    while code == nil || code == EINTR {
      let result = body()
      guard result < 0 else { return result }
      code = errno
    }
    guard let code, code != harmless else { return 0 }
    throw FileError(call, code: code)
  }

  /// The `errno` that a call is to fail with, without being made; `nil` to make it.
  func failure(of call: FileSystemCall) -> Int32? { fault(call) }

  /// Opens a file or folder; the caller closes it.
  func open(
    _ path: String, _ flags: Int32, permissions: UInt32 = 0
  ) throws(FileError) -> Int32 {
    let writes = flags & (O_WRONLY | O_RDWR | O_CREAT) != 0
    return try perform(writes ? .create(path) : .open(path)) {
      unsafe Glibc.open(path, flags | O_CLOEXEC, permissions)
    }
  }
}

extension FileSystem {
  /// Whether there is a file, folder or link of that name, even a broken link.
  ///
  /// What cannot be looked at counts as there, so that nothing is put over it.
  public func exists(_ url: URL) -> Bool {
    do { return try FileStatus(at: url) != nil } catch { return true }
  }

  /// Looks at a name, for decisions by which files are moved or written to.
  ///
  /// - Returns: `nil` if there is nothing of that name.
  /// - Throws: ``FileError/unreadable(file:reason:)`` where that is not known.
  package func status(of url: URL) throws(FileError) -> FileStatus? {
    try perform(.look(url.plainPath)) { 0 }
    return try FileStatus(at: url)
  }
}

extension URL {
  /// The path without a slash at its end, as system calls take it for files, folders and links.
  package var plainPath: String {
    let path = path(percentEncoded: false)
    return path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The path of the folder that this file or folder lies in.
  var parentPath: String { deletingLastPathComponent().plainPath }
}
