internal import Foundation
public import PortolanTiles

/// A tile of the Web Mercator scheme, found by a place.
///
/// Rows count from the top. Tiles at an edge of the world belong to it: latitudes go from -85.0511
/// to 85.0511, longitudes from -180 to less than 180.
public struct TileCoords: Hashable, Sendable {
  /// The highest level that can be counted.
  public static let maximumZoom = 30
  /// The latitude at which the square world ends.
  public static let latitudeLimit = 85.0511
  /// The greatest longitude that belongs to the world's last tile.
  public static let longitudeLimit = 179.99999999

  /// The tile.
  public let tile: TileID

  /// Checks that there is such a tile.
  ///
  /// - Throws: ``TileCacheError/badZoom(_:)``, ``TileCacheError/badTile(_:)``.
  public init(_ tile: TileID) throws(TileCacheError) {
    guard (0...Self.maximumZoom).contains(tile.level) else { throw .badZoom(tile.level) }
    let side = 0..<1 << tile.level
    guard side.contains(tile.row), side.contains(tile.column) else { throw .badTile(tile) }
    self.tile = tile
  }

  /// Finds the tile that holds a place, in degrees on WGS 84.
  ///
  /// - Throws: ``TileCacheError/badZoom(_:)``, ``TileCacheError/badLatitude(_:)``,
  ///   ``TileCacheError/badLongitude(_:)``.
  public init(latitude: Double, longitude: Double, zoom: Int) throws(TileCacheError) {
    guard (0...25).contains(zoom) else { throw .badZoom(zoom) }
    guard abs(latitude) <= Self.latitudeLimit else { throw .badLatitude(latitude) }
    guard longitude >= -180, longitude <= Self.longitudeLimit else {
      throw .badLongitude(longitude)
    }
    tile = TileID(
      level: zoom, row: Self.index(Self.worldYInside(latitude), zoom),
      column: Self.index(Self.worldX(longitude), zoom))
  }

  /// The tile's number in the level of the highest index.
  public static func maxTile(forZoom zoom: Int) -> Int { (1 << zoom) - 1 }

  /// A longitude as a part of the world's width, from the left: 0 to 1.
  static func worldX(_ longitude: Double) -> Double { (longitude + 180) / 360 }

  /// A latitude as a part of the world's height, from the top: 0 to 1.
  static func worldY(_ latitude: Double) -> Double {
    let angle = latitude * .pi / 180
    return (1 - log(tan(angle) + 1 / cos(angle)) / .pi) / 2
  }

  /// A latitude as a part of the world's height, within the world: from ``latitudeLimit`` on its edge.
  ///
  /// The limit is written with so few digits that from level 21 on there are rows beyond it. The southern edge
  /// lies right before 1, so that it belongs to the last row.
  static func worldYInside(_ latitude: Double) -> Double {
    // What was calculated may be rounded.
    guard abs(latitude) < latitudeLimit - 1e-9 else { return latitude > 0 ? 0 : 1.0.nextDown }
    return worldY(latitude)
  }

  /// The latitude of a part of the world's height.
  static func latitude(worldY: Double) -> Double {
    atan(sinh(.pi * (1 - 2 * worldY))) * 180 / .pi
  }

  private static func index(_ part: Double, _ zoom: Int) -> Int {
    min(max(Int((part * Double(1 << zoom)).rounded(.down)), 0), maxTile(forZoom: zoom))
  }
}
