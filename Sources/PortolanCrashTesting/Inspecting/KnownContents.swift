internal import Foundation
internal import Synchronization

/// The contents found in maps, so that maps whose files have not changed are not read again.
final class KnownContents: Sendable {
  private let known = Mutex<[FileDates: MapContents]>([:])

  /// What is in a map, read only if it is not known.
  func contents(of url: URL, read: () async throws -> MapContents) async throws -> MapContents {
    // Before anything is opened, which may roll back what was cut short.
    let dates = FileDates(of: url)
    if let contents = known.withLock({ $0[dates] }) { return contents }
    let contents = try await read()
    known.withLock { $0[dates] = contents }
    return contents
  }
}
