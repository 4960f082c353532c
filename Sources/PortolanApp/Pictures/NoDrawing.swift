public import Foundation
public import PortolanGeometry
internal import PortolanJSON
public import PortolanMap
public import PortolanPackages
internal import PortolanTiles

/// A stand-in for drawing in an app that has none: an app that only downloads, searches or edits
/// maps needs no image library.
///
/// Legends and lists are without pictures then; asking for a picture of a map reports why there is
/// none.
public struct NoDrawing: MapDrawing {
  /// Creates what draws nothing.
  public init() {}

  @concurrent public func picture(
    of map: DrawnMap, _ request: MapPictureRequest
  ) async throws -> MapPicture {
    throw Problem(
      .unsupported, message: "Maps cannot be drawn: this app was put together without drawing.",
      suggestion: "Give it the drawing of PortolanRendering, or another.")
  }

  public func tiles(
    of map: DrawnMap, name: String, levels: ClosedRange<Int>, extent: Envelope?,
    pixelRatio: Double
  ) -> any DrawnTileSource { Tiles(name: name, levels: levels) }

  public func picture(
    of swatch: LegendInfo.Swatch, width: Double, height: Double, pixelRatio: Double
  ) -> Data? { nil }

  /// Tiles of which none can be had.
  private struct Tiles: DrawnTileSource {
    let info: TileSourceInfo

    init(name: String, levels: ClosedRange<Int>) {
      info = TileSourceInfo(
        name: name, scheme: .webMercator(tileSide: 256, levels: levels), levels: levels,
        fullExtent: nil, declaredFormat: "PNG")
    }

    var omissions: [PictureOmission] { [] }
    /// One, with the reason why it is missing.
    var tileIDs: TileIDs {
      TileIDs {
        var ids = [TileID(level: 0, row: 0, column: 0)]
        return { () async throws(TileError) -> [TileID]? in
          defer { ids = [] }
          return ids.isEmpty ? nil : ids
        }
      }
    }

    func layers(at id: TileID) -> [LayerDrawing] { [] }
    func tileCounts() -> [Int: Int] { [0: 1] }
    func metadata() -> JSONValue? { nil }

    func tile(at id: TileID) async throws(TileError) -> Tile? {
      throw .unreadable(
        file: info.name, reason: "this app was put together without drawing")
    }
  }
}
