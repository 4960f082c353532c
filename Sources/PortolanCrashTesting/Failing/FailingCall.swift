internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A system call of a child that fails, made to fail by `CFailingSystemCalls`, which is linked into it.
struct FailingCall: Hashable, Sendable, CustomStringConvertible {
  /// The calls that can fail; names as `CFailingSystemCalls` knows them.
  enum Kind: String, Sendable, CaseIterable {
    case fsync, rename, open, write, mkdir, unlink, lock
  }

  /// What the call reports.
  enum Failure: String, Sendable, CaseIterable {
    /// The disk does not do it.
    case io = "EIO"
    /// The disk is full.
    case full = "ENOSPC"
    /// The process has too many files open.
    case tooManyFiles = "EMFILE"

    var number: Int32 {
      switch self {
      case .io: EIO
      case .full: ENOSPC
      case .tooManyFiles: EMFILE
      }
    }

    /// The calls that report it.
    var kinds: [Kind] {
      switch self {
      case .io: [.fsync, .rename, .open, .write, .mkdir, .unlink, .lock]
      case .full: [.fsync, .rename, .open, .write, .mkdir]
      case .tooManyFiles: [.open]
      }
    }
  }

  let kind: Kind
  let failure: Failure
  /// Which of these calls fails, from 1.
  let number: Int

  var description: String { "\(kind.rawValue) \(number) (\(failure.rawValue))" }

  /// The variables that make the call fail in a child.
  func environment(under home: URL, report: URL) -> [String: String] {
    Self.environment(under: home, report: report, kind).merging([
      "FAILING_CALLS_NTH": String(number), "FAILING_CALLS_ERRNO": String(failure.number),
    ]) { $1 }
  }

  /// The variables that have calls counted, and let none fail.
  static func environment(
    under home: URL, report: URL, _ kind: Kind
  ) -> [String: String] {
    let path = home.path(percentEncoded: false)
    return [
      "FAILING_CALLS_UNDER": path.hasSuffix("/") ? String(path.dropLast()) : path,
      "FAILING_CALLS_KINDS": kind.rawValue, "FAILING_CALLS_NTH": "0",
      "FAILING_CALLS_REPORT": report.path(percentEncoded: false),
    ]
  }
}

/// The reports on the system calls of a child.
struct FailingCallReport: Hashable, Sendable {
  /// How many calls there were, if the child came to its end.
  var count: Int?
  /// The call that failed, with its file.
  var failed: String?

  /// Reads a report; one that is not there says nothing.
  init(_ file: URL) {
    // A child that dies early has none.
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { continue }
      if words[0] == "failed" { failed = words[1] }
      if words[0] == "count" { count = max(count ?? 0, Int(words[1]) ?? 0) }
    }
  }
}
