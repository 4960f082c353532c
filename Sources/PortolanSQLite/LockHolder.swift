internal import Foundation
internal import Glibc

/// A process that holds a lock on a database.
public struct LockHolder: Hashable, Sendable, CustomStringConvertible {
  /// The id of the process.
  public let processID: Int32

  /// The name of its program, if the system says.
  public let program: String?

  /// `process 4711 (python3)`, or `this program`.
  public var description: String {
    guard processID != getpid() else { return "this program" }
    return "process \(processID)" + (program.map { " (\($0))" } ?? "")
  }

  /// The processes that hold SQLite's locks on the file at a path; other processes come first.
  ///
  /// Known from `/proc/locks`, which leaves out what other machines hold, and, on some file
  /// systems, everything.
  static func holders(of path: String) -> [LockHolder] {
    // Without the list nobody is named; the file is as busy as before.
    guard let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
    let files = Set([path, path + "-shm"].compactMap(Self.number(ofFileAt:)))
    let processes = list.split(separator: "\n").compactMap { line -> Int32? in
      // 1: POSIX  ADVISORY  WRITE 4711 08:01:131090 1073741824 1073742335
      let words = line.split(separator: " ")
      guard words.count >= 8, words[1] == "POSIX", files.contains(String(words[5])) else {
        return nil
      }
      return Int32(words[4])
    }
    let (own, others) = (processes.filter { $0 == getpid() }, processes.filter { $0 != getpid() })
    return (others + own).map { LockHolder(processID: $0, program: program(of: $0)) }
  }

  /// The number of a file as the list of locks spells it: disk and file.
  private static func number(ofFileAt path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let disk = UInt64(status.st_dev)
    let major = (disk >> 8) & 0xFFF | (disk >> 32) & ~0xFFF
    let minor = disk & 0xFF | (disk >> 12) & ~0xFF
    return "\(digits(major)):\(digits(minor)):\(status.st_ino)"
  }

  private static func digits(_ number: UInt64) -> String {
    number < 16 ? "0" + String(number, radix: 16) : String(number, radix: 16)
  }

  private static func program(of process: Int32) -> String? {
    // A process that has ended meanwhile has no name.
    (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8))?
      .trimmingCharacters(in: .newlines)
  }
}
