public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder that only this user can read, for files that live no longer than this value.
///
/// It goes with its last reference. One that was left by a process that died is removed when another one is
/// made beside it, or by ``StagedFile/removeAbandoned(in:)``.
@safe
public final class PrivateFolder: Sendable {
  /// The location of the folder.
  public let url: URL
  private let descriptor: Int32
  private let fileSystem: FileSystem

  /// Makes a folder with a hidden name of its own.
  ///
  /// - Parameters:
  ///   - parent: The folder that it is made in, such as that of temporary files.
  ///   - fileSystem: Where that is.
  /// - Throws: ``FileError/unwritable(file:reason:)`` and the like.
  public init(in parent: URL, of fileSystem: FileSystem = .live) throws(FileError) {
    StagedFile.removeAbandoned(in: parent)
    let url = parent.appending(path: StagedName.random(), directoryHint: .isDirectory)
    guard try !fileSystem.makeFolder(url, permissions: 0o700).isEmpty else {
      throw .alreadyExists(file: url.plainPath)
    }
    descriptor = try StagedFolder.open(url, in: fileSystem)
    StagedName.claim(descriptor)
    self.url = url
    self.fileSystem = fileSystem
  }

  deinit {
    // What stays behind is removed when the next one is made.
    try? fileSystem.erase(url)
    close(descriptor)
  }
}
