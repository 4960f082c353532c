package import PortolanGeometry
package import PortolanJSON

/// The extent and the zoom range in which a style's source has tiles, as the style gives them.
///
/// - SeeAlso: [Sources](https://maplibre.org/maplibre-style-spec/sources/)
package struct StyleSourceLimits: Sendable {
  /// The first zoom at which there are tiles.
  package let firstZoom: Double
  /// The extent of the tiles, in Web Mercator; `nil` for everywhere.
  private let ground: Envelope?

  /// Reads a source as a style declares it; `nil` for one that it does not.
  package init(_ source: JSONValue?) {
    firstZoom = source?["minzoom"]?.double ?? -.infinity
    ground = Self.ground(source?["bounds"]?.array ?? [])
  }

  /// The extent between the western, southern, eastern and northern side.
  private static func ground(_ sides: [JSONValue]) -> Envelope? {
    guard sides.count == 4, let low = GeoJSONFeature.share(.array([sides[0], sides[1]])),
      let high = GeoJSONFeature.share(.array([sides[2], sides[3]])), low.x < high.x, high.y < low.y
    else { return nil }
    let world = GeoJSONSource.world
    return Envelope(
      xMin: (low.x - 0.5) * world, yMin: (0.5 - low.y) * world, xMax: (high.x - 0.5) * world,
      yMax: (0.5 - high.y) * world)
  }

  /// The part of what is seen that has tiles; `nil` if none has.
  ///
  /// - Parameters:
  ///   - seen: What is seen, in the reference of the tiles.
  ///   - isWebMercator: Whether that is Web Mercator, as all tiles of styles are but for some of Esri.
  /// - Returns: The part.
  package func part(of seen: Envelope, isWebMercator: Bool) -> Envelope? {
    guard let ground, isWebMercator else { return seen }
    guard let part = seen.intersection(ground), part.width > 0, part.height > 0 else { return nil }
    return part
  }
}
