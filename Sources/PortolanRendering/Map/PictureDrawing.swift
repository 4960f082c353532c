public import Foundation
public import PortolanGeometry
public import PortolanMap
public import PortolanPackages

/// Draws maps with Portolan's own renderer.
public struct PictureDrawing: MapDrawing {
  /// Creates the drawing.
  public init() {}

  @concurrent public func picture(
    of map: DrawnMap, _ request: MapPictureRequest
  ) async throws -> MapPicture {
    try await MapRenderer(map).picture(request)
  }

  public func tiles(
    of map: DrawnMap, name: String, levels: ClosedRange<Int>, extent: Envelope?,
    pixelRatio: Double
  ) -> any DrawnTileSource {
    RenderedTileSource(
      MapRenderer(map), name: name, levels: levels, extent: extent, pixelRatio: pixelRatio)
  }

  public func picture(
    of swatch: LegendInfo.Swatch, width: Double, height: Double, pixelRatio: Double
  ) -> Data? {
    let renderer = SwatchRenderer(width: width, height: height, pixelRatio: pixelRatio)
    // A size that cannot be drawn leaves the line without a picture.
    return try? renderer.pngData(of: swatch)
  }
}
