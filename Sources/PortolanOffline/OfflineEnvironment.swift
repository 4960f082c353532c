public import Foundation
public import PortolanLibrary
public import PortolanPortal

/// The outer world of whoever takes maps offline.
public struct OfflineEnvironment: Sendable {
  /// Connects to a portal with the credentials there are.
  public typealias Connect = @Sendable (URL) async throws(PortalError) -> Portal
  /// Opens a map or one of its packages as people would, and answers its title.
  public typealias Check = @Sendable (URL) async throws -> String

  /// Where maps are stored.
  public let library: MapLibrary
  /// Connects to portals.
  public let connect: Connect
  /// Opens what has arrived, to see whether it is sound.
  public let check: Check
  /// The bytes that are free where a folder is; `nil` if that cannot be told.
  public let freeSpace: @Sendable (URL) -> Int?
  /// Measures pauses.
  public let clock: any Clock<Duration>
  /// Tells the date.
  public let now: @Sendable () -> Date
  /// A number from 0 up to 1, another each time.
  public let chance: @Sendable () -> Double
  /// Makes ids.
  public let makeID: @Sendable () -> UUID

  /// Creates an environment.
  public init(
    library: MapLibrary, connect: @escaping Connect, check: @escaping Check,
    freeSpace: @escaping @Sendable (URL) -> Int?, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date, chance: @escaping @Sendable () -> Double,
    makeID: @escaping @Sendable () -> UUID
  ) {
    self.library = library
    self.connect = connect
    self.check = check
    self.freeSpace = freeSpace
    self.clock = clock
    self.now = now
    self.chance = chance
    self.makeID = makeID
  }
}
