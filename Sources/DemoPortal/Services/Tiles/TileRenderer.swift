internal import Foundation
internal import PortolanGeometry
internal import PortolanSample
internal import PortolanTiles

/// Makes the tiles of a service, the same ones every time.
protocol TileRenderer: Sendable {
  /// The tiling scheme.
  var scheme: TileScheme { get }
  /// The levels that have tiles.
  var levels: ClosedRange<Int> { get }
  /// The extent of the tiles.
  var fullExtent: Envelope { get }

  /// The tile, or `nil` if there is none.
  func tile(at id: TileID) throws -> Data?
}

extension TileRenderer {
  /// Whether the address lies in the extent and in the levels.
  func covers(_ id: TileID) -> Bool {
    guard levels.contains(id.level), id.row >= 0, id.column >= 0,
      let range = scheme.range(covering: fullExtent, level: id.level)
    else { return false }
    return range.contains(id)
  }
}

/// The picture below the layers, in tiles.
struct BackdropTiles: TileRenderer {
  let contents: SampleContents
  let scheme = TileScheme.webMercator(tileSide: 256, levels: 0...19)
  let levels = 0...12

  var fullExtent: Envelope { contents.backdropExtent }

  func tile(at id: TileID) throws -> Data? {
    guard covers(id), let extent = scheme.envelope(of: id) else { return nil }
    return try contents.backdropPNG(
      of: extent, width: scheme.tileWidth, height: scheme.tileHeight)
  }
}

/// Keeps tiles that were made.
actor TileCache {
  /// The most tiles kept; the whole cache is dropped when there are more.
  private static let limit = 4096

  private let renderer: any TileRenderer
  private var tiles: [TileID: Data?] = [:]

  init(_ renderer: any TileRenderer) { self.renderer = renderer }

  /// The tile, or `nil` if there is none.
  func tile(at id: TileID) throws -> Data? {
    guard renderer.covers(id) else { return nil }
    if let known = tiles[id] { return known }
    let tile = try renderer.tile(at: id)
    if tiles.count >= Self.limit { tiles = [:] }
    tiles[id] = .some(tile)
    return tile
  }
}
