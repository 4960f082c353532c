public import Foundation
public import PortolanTiles

/// A tile of a region that could not be loaded.
public struct RegionFailure: Hashable, Sendable {
  /// The tile.
  public var tile: TileID
  /// Why, in a sentence.
  public var reason: String
  /// How often it was tried.
  public var attempts: Int
  /// When it was tried last.
  public var time: Date
}
