internal import DemoPortal
internal import Foundation

/// What an act has fetched over all its attempts, beside what it needed.
struct TransferLedger: Sendable {
  /// The bytes of the packages that were not there, by their id.
  let needed: [String: Int]
  /// What each attempt was sent.
  private(set) var attempts: [[DemoTransfer]] = []

  init(needed: [String: Int]) { self.needed = needed }

  /// Takes note of what was sent in one attempt.
  mutating func add(_ transfers: [DemoTransfer]) { attempts.append(transfers) }

  /// The bytes that were to be fetched: the packages, and the documents that say which.
  var whole: Int {
    needed.values.reduce(0, +) + documents(attempts.last ?? [])
  }

  /// The bytes that were fetched more often than once, or though they were there.
  var fetchedTwice: Int {
    var total = 0
    for (package, sent) in packages { total += max(sent - (needed[package] ?? 0), 0) }
    return total + attempts.dropLast().map(documents).reduce(0, +)
  }

  /// How many packages were begun anew although a part of them had been fetched.
  var filesBegunAnew: Int {
    var begun: Set<String> = []
    var count = 0
    for attempt in attempts {
      let files = Set(attempt.filter { $0.offset == 0 && $0.sent > 0 }.compactMap(Self.package))
      count += files.intersection(begun).count
      begun.formUnion(files)
    }
    return count
  }

  private var packages: [String: Int] {
    var sent: [String: Int] = [:]
    for transfer in attempts.joined() {
      if let package = Self.package(transfer) { sent[package, default: 0] += transfer.sent }
    }
    return sent
  }

  private func documents(_ attempt: [DemoTransfer]) -> Int {
    attempt.filter { Self.package($0) == nil }.reduce(0) { $0 + $1.sent }
  }

  /// The id of the package that was asked for; `nil` for anything else.
  ///
  /// The documents of maps come from addresses of the same form, and are small.
  private static func package(_ transfer: DemoTransfer) -> String? {
    let parts = transfer.path.split(separator: "/")
    guard parts.last == "data", transfer.offset + transfer.length > 1 << 18, parts.count > 2 else {
      return nil
    }
    return String(parts[parts.count - 2])
  }
}
