public import Foundation
public import PortolanTiles

/// Keeps the tiles of services that are browsed, so that what was seen is there without a network.
public protocol TileKeeping: Sendable {
  /// The same tiles, kept as they are seen.
  ///
  /// - Parameters:
  ///   - tiles: The tiles of a service.
  ///   - service: The address of the service.
  /// - Returns: The tiles, from the cache where they are there; `tiles` where they cannot be kept.
  func keeping(_ tiles: any TileSource, of service: URL) async -> any TileSource
}
