internal import Foundation
public import PortolanGeometry

/// The place of a picture's pixels in map coordinates.
public struct PictureGeoreference: Hashable, Sendable, Codable {
  /// The place of the top left corner of the top left pixel, in units of ``spatialReference``.
  public var origin: Coordinate
  /// The step from a pixel to the one on its right, in the same units.
  public var right: Coordinate
  /// The step from a pixel to the one below it, in the same units.
  public var down: Coordinate
  /// The spatial reference of the coordinates.
  public var spatialReference: SpatialReference
  /// Whether the coordinates are longitudes and latitudes.
  public var isGeographic: Bool

  /// The georeference of what a window shows.
  public init(_ frame: MapFrame, pixelRatio: Double) {
    origin = frame.location(ofScreenX: 0, y: 0)
    let right = frame.location(ofScreenX: 1 / pixelRatio, y: 0)
    let down = frame.location(ofScreenX: 0, y: 1 / pixelRatio)
    self.right = Coordinate(x: right.x - origin.x, y: right.y - origin.y)
    self.down = Coordinate(x: down.x - origin.x, y: down.y - origin.y)
    spatialReference = frame.spatialReference
    isGeographic = frame.properties.isGeographic
  }

  /// The six lines of a world file, in which the place is that of the middle of the first pixel.
  public var worldFile: String {
    let numbers = [
      right.x, right.y, down.x, down.y, origin.x + (right.x + down.x) / 2,
      origin.y + (right.y + down.y) / 2,
    ]
    return numbers.map { "\($0)\n" }.joined()
  }

  /// The document that GDAL reads beside a picture for the meaning of the coordinates, which a
  /// world file does not tell; `nil` if they have no definition.
  public var auxiliaryXML: String? {
    guard let text = definition else { return nil }
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
    return "<PAMDataset>\n  <SRS>\(escaped)</SRS>\n</PAMDataset>\n"
  }

  /// The id in the registry of EPSG, if there is one that GeoTIFF can hold.
  public var epsg: Int? {
    spatialReference.currentWKID.flatMap { (1024...32_766).contains($0) ? $0 : nil }
  }

  private var definition: String? {
    if let epsg { return "EPSG:\(epsg)" }
    return spatialReference.plainWellKnownText()
      ?? spatialReference.registered()?.wellKnownText
  }
}
