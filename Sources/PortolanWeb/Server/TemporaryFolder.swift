internal import Foundation
internal import PortolanApp

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Folders for files on their way between a page and this device; each file has one of its own.
enum TemporaryFolder {
  /// The location of the folder.
  static var url: URL { FileManager.default.temporaryDirectory }

  /// The prefix of all names; the id of the process follows.
  private static let prefix = "portolan-web-"

  /// Makes one that only this user can read.
  static func make(for name: String) throws(Problem) -> URL {
    let process = ProcessInfo.processInfo.processIdentifier
    let folder = url.appending(
      path: "\(prefix)\(process)-\(UUID().uuidString)", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw unwritable(name)
    }
    return folder
  }

  /// Removes one with what is in it.
  static func remove(_ folder: URL) {
    // Leftovers are in the folder for temporary files, which the system empties.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Removes those of processes that ended without doing so.
  static func removeAbandoned(in folder: URL = url) {
    // A folder that cannot be listed has none that could be removed.
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    for name in names ?? [] where name.hasPrefix(prefix) {
      let number = name.dropFirst(prefix.count).split(separator: "-").first
      guard let process = number.flatMap({ Int32($0) }), !isAlive(process) else { continue }
      remove(folder.appending(path: name))
    }
  }

  /// Whether there is a process of that id, also one of another user.
  private static func isAlive(_ process: Int32) -> Bool {
    kill(process, 0) == 0 || errno != ESRCH
  }

  /// The free space at a folder, in bytes; `nil` if that is not known.
  @Sendable static func freeSpace(_ folder: URL) -> Int? {
    // A system that does not tell refuses to write when it has no more space.
    let attributes = try? FileManager.default.attributesOfFileSystem(
      forPath: folder.path(percentEncoded: false))
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }

  /// The problem that a file cannot be written there.
  static func unwritable(_ name: String) -> Problem {
    Problem(
      message: "\"\(name)\" cannot be written to the folder for temporary files.",
      suggestion: "Check that there is enough free space.")
  }
}
