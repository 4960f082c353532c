public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The process that holds a lock on a file.
public struct FileLockHolder: Hashable, Sendable, CustomStringConvertible {
  /// The number of the process.
  public let processID: Int32
  /// The name of its program, if the system knows it.
  public let program: String?

  /// Creates a holder.
  public init(processID: Int32, program: String?) {
    self.processID = processID
    self.program = program
  }

  private static let thisProgram = "this program"

  /// `process 4711 (python3)`, or `this program`.
  public var description: String { processID == getpid() ? Self.thisProgram : name }

  /// `process 4711 (python3)`, whichever process it is.
  private var name: String {
    if let program { "process \(processID) (\(program))" } else { "process \(processID)" }
  }

  /// A description for what other processes read later, such as a journal: "this program" would be
  /// another one there.
  public static func forOthers(_ description: String) -> String {
    description == thisProgram ? FileLockHolder(numbered: getpid()).name : description
  }

  /// A description that this or another process has written, as this one says it.
  public static func asSeenHere(_ description: String) -> String {
    let own = "process \(getpid())"
    return description == own || description.hasPrefix(own + " ") ? thisProgram : description
  }

  /// Describes a process, by the name of its program if the system knows that.
  public init(numbered processID: Int32) {
    let name = SystemText.read("/proc/\(processID)/comm")
    self.init(
      processID: processID, program: name?.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// The locks to look for.
  public enum Locks: Sendable {
    /// Those of this library, and those of SQLite.
    case all
    /// Those of SQLite only.
    case database
  }

  /// The holder of a lock on a file or folder; another process before this one.
  ///
  /// - Returns: `nil` if no process does, or the system does not say.
  public static func find(for url: URL, _ locks: Locks = .all) -> FileLockHolder? {
    // What cannot be looked at has no holder that could be named.
    guard let identity = try? FileStatus(at: url)?.identity,
      let processID = processID(holding: identity, locks)
    else { return nil }
    return FileLockHolder(numbered: processID)
  }

  /// How often the list of locks is read: it comes in pages, and a lock that moves to another page
  /// between two of them, since others were given back, is in none.
  private static let readings = 5

  private static func processID(holding identity: FileIdentity, _ locks: Locks) -> Int32? {
    for _ in 0..<readings {
      guard let table = SystemText.read("/proc/locks") else { return nil }
      if let found = FileLockTable(table, locks).processID(holding: identity) { return found }
    }
    return nil
  }
}

/// The locks of the system as `/proc/locks` lists them.
struct FileLockTable {
  private let locks: [(processID: Int32, device: UInt64, number: UInt64)]

  /// Reads lines like `1: FLOCK  ADVISORY  WRITE 1234 fe:01:131 0 EOF`; those that wait for a lock
  /// have an arrow in the second place, and are left out.
  init(_ text: String, _ wanted: FileLockHolder.Locks = .all) {
    locks = text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] != "->",
        wanted == .all || words[1] == "POSIX", let processID = Int32(words[4]), processID > 0
      else { return nil }
      let file = words[5].split(separator: ":")
      guard file.count == 3, let major = UInt64(file[0], radix: 16),
        let minor = UInt64(file[1], radix: 16), let number = UInt64(file[2])
      else { return nil }
      return (processID, Self.device(major, minor), number)
    }
  }

  /// The process that holds a lock on that file; another process before this one, since a process
  /// that waits for a lock may share it.
  ///
  /// Some file systems have other device numbers here than in the status of a file; the number of the
  /// file alone decides then, if no two locked files share it.
  func processID(holding identity: FileIdentity) -> Int32? {
    let candidates = locks.filter { $0.number == identity.number }
    let exact = candidates.filter { $0.device == identity.device }
    if !exact.isEmpty { return Self.othersFirst(exact.map(\.processID)) }
    guard Set(candidates.map(\.device)).count == 1 else { return nil }
    return Self.othersFirst(candidates.map(\.processID))
  }

  private static func othersFirst(_ processIDs: [Int32]) -> Int32? {
    processIDs.first { $0 != getpid() } ?? processIDs.first
  }

  /// The number of a device as Linux composes it.
  private static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
    (major & 0xfff) << 8 | (major & ~0xfff) << 32 | (minor & 0xff) | (minor & ~0xff) << 12
  }
}
