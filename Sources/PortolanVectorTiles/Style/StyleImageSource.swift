package import PortolanGeometry
internal import PortolanJSON

/// A picture that a style lays between four places.
///
/// - SeeAlso: [Image sources](https://maplibre.org/maplibre-style-spec/sources/#image)
package struct StyleImageSource: Sendable {
  /// The address of the picture.
  package let address: String
  /// The corners in Web Mercator, from the top left one clockwise.
  package let corners: [Coordinate]

  /// Reads a source as a style declares it; `nil` if it does not say what lies where.
  init?(_ json: JSONObject) {
    let places = (json["coordinates"]?.array ?? []).compactMap(GeoJSONFeature.share)
    guard let address = json.text("url"), places.count == 4 else { return nil }
    self.address = address
    corners = places.map {
      Coordinate(x: ($0.x - 0.5) * GeoJSONSource.world, y: (0.5 - $0.y) * GeoJSONSource.world)
    }
  }
}
