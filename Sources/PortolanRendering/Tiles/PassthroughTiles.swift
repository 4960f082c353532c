internal import Foundation
internal import PortolanImages
internal import PortolanMap
internal import PortolanPackages
internal import PortolanTiles

/// The tiles of a map that is one layer of tiles of the web and nothing else: they are handed on as
/// they are, or enlarged, without drawing the map.
struct PassthroughTiles: Sendable {
  private let tiles: OverzoomedTileSource
  private let pyramid: WebMercatorQuad
  private let layer: DrawnLayer

  /// `nil` for maps that have to be drawn.
  init?(_ renderer: MapRenderer, pixelRatio: Double) {
    guard pixelRatio == 1, renderer.map.layers.count == 1, let layer = renderer.map.layers.first,
      layer.groups.isEmpty, case .tiles(let source) = layer.content,
      !source.info.isVector, source.info.scheme.tileWidth == Self.side,
      source.info.scheme.tileHeight == Self.side
    else { return nil }
    tiles = OverzoomedTileSource(source, to: WebMercatorQuad.maximumLevel)
    pyramid = WebMercatorQuad(matching: tiles.info.scheme)
    guard !pyramid.isEmpty else { return nil }
    self.layer = layer
  }

  private static let side = 256

  /// A tile of the web; `nil` where the map has to be drawn, because the layer has no tile there,
  /// or one that is clear in parts, damaged, of another size or another kind.
  func tile(at id: TileID, scale: Double) async throws(TileError) -> Tile? {
    let mix = LayerMix(layer.layer, opacity: layer.opacity, scale: scale)
    guard layer.isDrawn(atScale: scale), mix.isPlain, mix.problems.isEmpty,
      let place = pyramid.source(of: id)
    else { return nil }
    do throws(TileError) {
      guard let tile = try await tiles.tile(at: place), Self.hidesAll(tile) else { return nil }
      return tile
    } catch .cancelled {
      throw .cancelled
    } catch {
      // Drawing the map finds what stands in for the tile.
      return nil
    }
  }

  private static func hidesAll(_ tile: Tile) -> Bool {
    guard tile.format == .png else { return false }
    return unsafe tile.data.withUnsafeBytes { bytes in
      // A file that cannot be read hides nothing.
      guard let chunks = try? unsafe PNGChunks(of: bytes) else { return false }
      let header = chunks.header
      return header.width == side && header.height == side && chunks.transparency == nil
        && [.gray, .rgb, .palette].contains(header.colorKind)
    }
  }
}
