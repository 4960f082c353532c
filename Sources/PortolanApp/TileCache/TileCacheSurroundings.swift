public import Foundation
public import PortolanTransport

/// The dependencies of the tile cache.
public struct TileCacheSurroundings: Sendable {
  /// The file of the cache.
  public var file: URL
  /// The transport of requests to servers.
  public var transport: any HTTPTransport
  /// Measures pauses.
  public var clock: any Clock<Duration>
  /// Returns the date.
  public var now: @Sendable () -> Date
  /// Returns the bytes that are free where a file is; `nil` if that is unknown.
  public var freeSpace: @Sendable (URL) -> Int?
  /// Makes the folder of the file, before anything is first written.
  public var prepare: @Sendable () throws -> Void
  /// Returns the most bytes of tiles that no region keeps; `nil` for no limit.
  public var capacity: @MainActor @Sendable () -> Int?
  /// Returns how many bytes of tiles are loaded ahead of being viewed, at most; 0 for none.
  public var predictionBudget: @MainActor @Sendable () -> Int
  /// Forgets what is kept of maps besides their tiles.
  public var clearDocuments: @Sendable () async -> Void
  /// The maximum number of concurrent requests for tiles.
  public var concurrentRequests: Int

  /// Creates surroundings: no limit, the clock and date of this machine.
  public init(file: URL, transport: any HTTPTransport) {
    self.file = file
    self.transport = transport
    clock = ContinuousClock()
    now = { Date() }
    freeSpace = { _ in nil }
    prepare = {}
    capacity = { nil }
    predictionBudget = { 0 }
    clearDocuments = {}
    concurrentRequests = 64
  }
}
