internal import Foundation
internal import PortolanLocks

/// Which of several addresses of the same tiles have failed a moment ago, so that others are asked first: a
/// server that does not answer would be waited for with every tile that begins with it.
final class FailingAddresses: Sendable {
  /// For how many seconds an address that has failed is asked last.
  private static let pause = 60.0

  private let failures = Locked<[TileURLTemplate: Date]>([:])

  /// Notes that an address has failed.
  func note(_ template: TileURLTemplate, at now: Date) {
    failures.withLock { $0[template] = now }
  }

  /// Templates in their order, but those last that have failed a moment ago.
  func last(of templates: [TileURLTemplate], at now: Date) -> [TileURLTemplate] {
    guard templates.count > 1 else { return templates }
    let failures = failures.withLock { $0 }
    func isFailing(_ template: TileURLTemplate) -> Bool {
      // A clock that was put back makes nothing wait.
      failures[template].map { (0..<Self.pause).contains(now.timeIntervalSince($0)) } ?? false
    }
    return templates.filter { !isFailing($0) } + templates.filter(isFailing)
  }
}
