internal import Foundation
internal import PortolanLocks

/// The addresses of a tile source that have failed, so that others are tried first: each tile that
/// began with a dead server would wait for it.
final class FailingAddresses: Sendable {
  /// For how many seconds nobody asks an address first that has failed.
  private static let pause = 60.0

  private let failures = Locked<[TileURLTemplate: Date]>([:])

  /// Notes that an address has failed.
  func note(_ template: TileURLTemplate, at now: Date) {
    failures.withLock { $0[template] = now }
  }

  /// Notes that an address has answered.
  func forget(_ template: TileURLTemplate) {
    failures.withLock { $0[template] = nil }
  }

  /// Templates in their order, but those last that have failed; after the pause one request finds out
  /// whether the first of them works again, and the others do not wait for that.
  func inOrder(_ templates: [TileURLTemplate], at now: Date) -> [TileURLTemplate] {
    guard templates.count > 1 else { return templates }
    return failures.withLock { failures in
      if let first = templates.first, let failed = failures[first],
        // A clock that was put back makes nothing wait.
        !(0..<Self.pause).contains(now.timeIntervalSince(failed))
      {
        failures[first] = now
        return templates
      }
      return templates.filter { failures[$0] == nil } + templates.filter { failures[$0] != nil }
    }
  }
}
