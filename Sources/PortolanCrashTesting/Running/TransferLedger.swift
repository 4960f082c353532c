internal import DemoPortal
internal import Foundation

/// The files that an act has fetched over all its attempts, beside those that it needed and those
/// that it had.
struct TransferLedger: Sendable {
  /// What one attempt was sent, and what was on the disk when it began.
  private struct Attempt {
    var transfers: [DemoTransfer]
    var present: [String: Int]
  }

  /// The bytes of the packages that were not there, by their id.
  let needed: [String: Int]
  private var attempts: [Attempt] = []

  init(needed: [String: Int]) { self.needed = needed }

  /// Takes note of one attempt.
  ///
  /// - Parameters:
  ///   - transfers: What it was sent.
  ///   - present: The bytes of packages that were on the disk when it began, by their id.
  mutating func add(_ transfers: [DemoTransfer], present: [String: Int] = [:]) {
    attempts.append(Attempt(transfers: transfers, present: present))
  }

  /// The bytes that were to be fetched: the packages, and the documents that say which.
  var whole: Int {
    needed.values.reduce(0, +) + documents(attempts.last?.transfers ?? [])
  }

  /// The bytes that were fetched although they were here.
  var fetchedTwice: Int {
    var total = attempts.dropLast().map { documents($0.transfers) }.reduce(0, +)
    for attempt in attempts {
      for transfer in attempt.transfers {
        guard let package = Self.package(transfer) else { continue }
        let present = attempt.present[package] ?? 0
        total += max(min(transfer.offset + transfer.sent, present) - transfer.offset, 0)
      }
    }
    return total
  }

  /// The bytes that were sent and had not arrived on the disk when a child died.
  var lostUnderWay: Int {
    let sent = attempts.flatMap(\.transfers).filter { Self.package($0) != nil }
      .reduce(0) { $0 + $1.sent }
    let documents = attempts.dropLast().map { self.documents($0.transfers) }.reduce(0, +)
    return max(sent - needed.values.reduce(0, +) - (fetchedTwice - documents), 0)
  }

  /// How many packages were started over although a part of them had been fetched.
  var filesBegunAnew: Int {
    var begun: Set<String> = []
    var count = 0
    for attempt in attempts {
      let files = Set(
        attempt.transfers.filter { $0.offset == 0 && $0.sent > 0 }.compactMap(Self.package))
      count += files.intersection(begun).count
      begun.formUnion(files)
    }
    return count
  }

  private func documents(_ transfers: [DemoTransfer]) -> Int {
    transfers.filter { Self.package($0) == nil }.reduce(0) { $0 + $1.sent }
  }

  /// The id of the package that was requested; `nil` for anything else.
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
