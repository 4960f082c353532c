public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The hidden names of files and folders that are not complete yet.
///
/// Its writer holds a lock on it, which ends with its process; so one without a lock was
/// left by a process that died.
enum StagedName {
  private static let start = ".portolan-"
  private static let ending = ".part"
  /// What SQLite puts after the name of a database for the files beside it.
  private static let companions = ["-journal", "-wal", "-shm"]

  /// A name that nothing else has.
  static func random() -> String { "\(start)\(UInt64.random(in: 0...UInt64.max))\(ending)" }

  /// Marks an open file or folder as one that is being filled.
  static func claim(_ descriptor: Int32) {
    // Where there are no locks nothing is removed, either.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Whether a name is one of ours, or of a file beside a database that has one.
  static func isStaged(_ name: String) -> Bool {
    let name = main(of: name)
    guard name.hasPrefix(start), name.hasSuffix(ending) else { return false }
    let number = name.dropFirst(start.count).dropLast(ending.count)
    return UInt64(number) != nil
  }

  /// The name of the database that a file belongs to; of any other its own.
  private static func main(of name: String) -> String {
    companions.first(where: name.hasSuffix).map { String(name.dropLast($0.count)) } ?? name
  }

  /// Whether no process is writing what has this name; `false` if that is unknown.
  ///
  /// What belongs to a database is written by the one that writes that.
  static func isAbandoned(_ path: String) -> Bool {
    let main = main(of: path)
    guard main != path else { return hasNoWriter(path) }
    do throws(FileError) {
      guard try FileStatus(path: main, links: .shown) == nil else { return hasNoWriter(main) }
    } catch {
      return false
    }
    return hasNoWriter(path)
  }

  private static func hasNoWriter(_ path: String) -> Bool {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    // Between its making and its lock a file is younger than this.
    guard status.st_mtim.tv_sec + 2 < time(nil) else { return false }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}

extension StagedFile {
  /// Removes what processes that died left half done in a folder.
  ///
  /// Only what has a name of ours and no writer. What cannot be removed stays.
  public static func removeAbandoned(in folder: URL) {
    // A folder that cannot be listed will say so when it is written to.
    let names = try? FolderNames(of: folder.plainPath).names
    for name in names ?? [] where StagedName.isStaged(name) {
      let url = folder.appending(path: name)
      guard StagedName.isAbandoned(url.plainPath) else { continue }
      // It is hidden and of no use; the next run tries again.
      try? FileSystem.live.erase(url)
    }
  }

  /// Removes what processes that died left half done in a folder and in all below it.
  ///
  /// As ``removeAbandoned(in:)`` does in one folder.
  public static func removeAbandoned(below folder: URL) {
    FileTree.visit(folder) { url, status in
      if status.kind == .folder { removeAbandoned(in: url) }
    }
  }

  /// Whether a name is one that files and folders have while they are written.
  public static func isTemporary(_ name: String) -> Bool { StagedName.isStaged(name) }
}
