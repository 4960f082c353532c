public import PortolanDrawing
public import PortolanGeometry
public import PortolanRendering
public import PortolanTiles

/// Draws maps.
///
/// Portolan's own drawing is ``PictureDrawing``. A port that has a renderer of its own, or a test that
/// looks at what is asked for, supplies another.
public protocol MapDrawing: Sendable {
  /// Draws layers into a picture.
  ///
  /// - Parameters:
  ///   - layers: The layers that are on, in the order in which they are drawn.
  ///   - request: The window, and how it is drawn.
  /// - Returns: The picture, with what could not be drawn.
  /// - Throws: Why the window cannot be drawn at all.
  @concurrent func picture(
    of layers: MapRenderer, _ request: MapPictureRequest
  ) async throws -> MapPicture

  /// The tiles of layers, drawn when they are asked for.
  ///
  /// - Parameters:
  ///   - layers: The layers that are on.
  ///   - name: The title of the map.
  ///   - levels: The levels that may be asked for.
  ///   - extent: Where there are tiles, in Web Mercator; everywhere if `nil`.
  ///   - pixelRatio: The pixels along a point.
  /// - Returns: The tiles.
  func tiles(
    of layers: MapRenderer, name: String, levels: ClosedRange<Int>, extent: Envelope?,
    pixelRatio: Double
  ) -> any DrawnTileSource
}

/// Tiles that are drawn when they are asked for.
public protocol DrawnTileSource: TileSource {
  /// What the tiles that were drawn so far do not show.
  var omissions: [PictureOmission] { get async }

  /// What became of the layers when a tile was drawn that was asked for a moment ago.
  func layers(at id: TileID) async -> [LayerDrawing]
}

extension RenderedTileSource: DrawnTileSource {}

/// Draws maps with PortolanRendering.
public struct PictureDrawing: MapDrawing {
  /// Creates the drawing.
  public init() {}

  @concurrent public func picture(
    of layers: MapRenderer, _ request: MapPictureRequest
  ) async throws -> MapPicture {
    try await layers.picture(request)
  }

  public func tiles(
    of layers: MapRenderer, name: String, levels: ClosedRange<Int>, extent: Envelope?,
    pixelRatio: Double
  ) -> any DrawnTileSource {
    RenderedTileSource(
      layers, name: name, levels: levels, extent: extent, pixelRatio: pixelRatio)
  }
}
