public import Foundation
public import PortolanTiles

/// A tile of a region that could not be loaded.
public struct TileFailure: Hashable, Sendable, Codable {
  /// The tile.
  public var tile: TileID
  /// Why, a sentence.
  public var reason: String
  /// The number of attempts.
  public var attempts: Int
  /// The date of the last attempt.
  public var time: Date
}
