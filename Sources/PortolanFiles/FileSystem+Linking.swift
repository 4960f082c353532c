internal import CFileSystem
package import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileSystem {
  /// Gives a file that is never written to a second name, which must be free.
  ///
  /// Where there are no second names, as on exFAT and on some shared folders, the file is copied.
  ///
  /// - Throws: ``FileError/alreadyExists(file:)``, ``FileError/diskFull(file:)`` and the like, and
  ///   `CancellationError`.
  package func linkOrCopy(_ source: URL, to target: URL) throws {
    let (from, to) = (source.plainPath, target.plainPath)
    let call = FileSystemCall.link(from, to: to)
    var code = failure(of: call) ?? 0
    if code == 0, unsafe link(from, to) != 0 { code = errno }
    switch code {
    case 0: break
    case let code where Self.isWithoutNames(code):
      try RegularFile(at: source, in: self).writeCopy(to: target, replacing: false, in: self)
    case let code: throw FileError(call, code: code)
    }
  }

  /// Whether files in a folder can have second names, by the kind of its disk; where that says nothing, they
  /// can.
  package func knowsSecondNames(in folder: URL) -> Bool {
    let path = folder.plainPath
    let code = failure(of: .link(path, to: path)) ?? 0
    let isOfLinks = unsafe cfilesystem_knows_links(path) != 0
    return isOfLinks && !Self.isWithoutNames(code)
  }

  private static func isWithoutNames(_ code: Int32) -> Bool {
    [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code)
  }
}
