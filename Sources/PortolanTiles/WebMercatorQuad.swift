internal import Foundation
internal import PortolanGeometry

/// Converts the tile addresses of a scheme to the pyramid of MBTiles and PMTiles: level 0 is one
/// tile, the square world of Web Mercator, and each level halves its sides.
///
/// Levels are matched by the extent of their tiles, not by their number: a scheme may
/// begin at a finer level, leave levels out, begin at any tile of the world, and cut tiles of any
/// number of pixels.
///
/// - SeeAlso: Docs/FORMATS.md, 3.4 and 4.2
public struct WebMercatorQuad: Hashable, Sendable {
  /// The finest level that is matched.
  public static let maximumLevel = 30

  /// Half the side of the world, in metres.
  private static let halfSide = 6_378_137 * Double.pi

  /// By how much of a tile an edge may lie beside the pyramid's: writers round.
  private static let tolerance = 0.01

  /// The north-western tile of each level of the scheme.
  private var firstTiles: [Int: TileID] = [:]

  /// Matches the levels of `scheme`.
  public init(matching scheme: TileScheme) {
    guard scheme.spatialReference.identified().isWebMercator else { return }
    var found: Set<Int> = []
    for level in scheme.levels {
      guard let first = Self.firstTile(of: level, in: scheme), found.insert(first.level).inserted
      else { continue }
      firstTiles[level.level] = first
    }
  }

  /// Whether no level of the scheme is one of the pyramid.
  public var isEmpty: Bool { firstTiles.isEmpty }

  /// The pyramid's number for a level of the scheme, or `nil` if the pyramid has no such level.
  public func level(for level: Int) -> Int? { firstTiles[level]?.level }

  /// The pyramid's address of a tile of the scheme, or `nil` if it has none.
  public func tile(for id: TileID) -> TileID? {
    guard let first = firstTiles[id.level] else { return nil }
    let (row, column) = (first.row &+ id.row, first.column &+ id.column)
    let sides = 0..<1 << first.level
    guard sides.contains(row), sides.contains(column) else { return nil }
    return TileID(level: first.level, row: row, column: column)
  }

  /// The tile of the scheme that has this address in the pyramid, or `nil` if there is none.
  public func source(of tile: TileID) -> TileID? {
    guard let (level, first) = firstTiles.first(where: { $0.value.level == tile.level }) else {
      return nil
    }
    return TileID(
      level: level, row: tile.row &- first.row, column: tile.column &- first.column)
  }

  /// The tile of `scheme` that has this address in the pyramid, or `nil` if there is none: for one tile,
  /// without matching all levels.
  public static func source(of tile: TileID, in scheme: TileScheme) -> TileID? {
    guard scheme.spatialReference.identified().isWebMercator else { return nil }
    for level in scheme.levels {
      guard let first = firstTile(of: level, in: scheme), first.level == tile.level else {
        continue
      }
      return TileID(
        level: level.level, row: tile.row &- first.row, column: tile.column &- first.column)
    }
    return nil
  }

  private static func firstTile(of level: TileScheme.Level, in scheme: TileScheme) -> TileID? {
    let size = scheme.tileSize(of: level)
    let count = 2 * halfSide / size.width
    guard count.isFinite, count > 0.5, abs(2 * halfSide / size.height - count) < tolerance else {
      return nil
    }
    let number = Int(log2(count).rounded())
    guard number <= maximumLevel, abs(Double(1 << number) - count) < tolerance,
      let column = whole((scheme.origin.x + halfSide) / size.width),
      let row = whole((halfSide - scheme.origin.y) / size.height)
    else { return nil }
    return TileID(level: number, row: row, column: column)
  }

  private static func whole(_ position: Double) -> Int? {
    let nearest = position.rounded()
    guard abs(nearest) < Double(TileScheme.maximumSide), abs(position - nearest) < tolerance else {
      return nil
    }
    return Int(nearest)
  }
}
