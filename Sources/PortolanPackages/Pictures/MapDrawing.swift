public import Foundation
public import PortolanGeometry
public import PortolanMap
public import PortolanTiles

/// Draws maps.
///
/// Portolan's own drawing is `PictureDrawing` of PortolanRendering. A port that has a renderer of its
/// own, or a test that looks at what is requested, supplies another.
public protocol MapDrawing: Sendable {
  /// Draws a map into a picture.
  ///
  /// - Parameters:
  ///   - map: The layers that are on, in the order in which they are drawn.
  ///   - request: The window, and how it is drawn.
  /// - Returns: The picture, with what could not be drawn.
  /// - Throws: Why the window cannot be drawn at all.
  @concurrent func picture(
    of map: DrawnMap, _ request: MapPictureRequest
  ) async throws -> MapPicture

  /// The tiles of a map, drawn when they are requested.
  ///
  /// - Parameters:
  ///   - map: The layers that are on.
  ///   - name: The title of the map.
  ///   - levels: The levels that may be requested.
  ///   - extent: Where there are tiles, in Web Mercator; everywhere if `nil`.
  ///   - pixelRatio: The pixels along a point.
  /// - Returns: The tiles.
  func tiles(
    of map: DrawnMap, name: String, levels: ClosedRange<Int>, extent: Envelope?,
    pixelRatio: Double
  ) -> any DrawnTileSource

  /// Draws the symbol of a line of a legend.
  ///
  /// - Parameters:
  ///   - swatch: The symbol.
  ///   - width: The width, in points of 1/96 inch.
  ///   - height: The height, in points of 1/96 inch.
  ///   - pixelRatio: The pixels along a point.
  /// - Returns: A PNG file; `nil` if nothing is drawn there, or not in this size.
  func picture(
    of swatch: LegendInfo.Swatch, width: Double, height: Double, pixelRatio: Double
  ) -> Data?
}

/// Tiles that are drawn when they are requested.
public protocol DrawnTileSource: TileSource {
  /// What the tiles that were drawn so far do not show.
  var omissions: [PictureOmission] { get async }

  /// The result of drawing the layers when a tile was drawn that was asked for a moment ago.
  func layers(at id: TileID) async -> [LayerDrawing]
}
