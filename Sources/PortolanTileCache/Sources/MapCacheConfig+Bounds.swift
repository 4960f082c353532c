internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

extension MapCacheConfig {
  /// The box in degrees that a document names by four numbers, or by a text of them as in MBTiles; `nil` for
  /// what is none.
  static func bounds(in value: JSONValue?) -> Envelope? {
    if let text = value?.string {
      return bounds(
        text.split(separator: ",").compactMap {
          Double($0.trimmingCharacters(in: .whitespaces))
        })
    }
    return bounds(value?.array?.compactMap(\.double) ?? [])
  }

  /// A box in degrees by its west, south, east and north; `nil` for what is none.
  static func bounds(_ numbers: [Double]) -> Envelope? {
    guard numbers.count == 4 else { return nil }
    let box = Envelope(xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3])
    guard box.width > 0, box.height > 0, box.width <= 360, box.yMin >= -90, box.yMax <= 90,
      abs(box.xMin) <= 540
    else { return nil }
    return box
  }

  /// The ground of an extent, in degrees; `nil` where that cannot be told.
  static func bounds(of extent: Envelope?, in reference: SpatialReference) -> Envelope? {
    guard let extent else { return nil }
    // As said above.
    return try? Projection(from: reference, to: .wgs84).project(extent)
  }

  /// The ground of a tiled service of ArcGIS, in degrees, where that is given in the reference of its tiles.
  static func bounds(
    ofService service: JSONValue, in reference: SpatialReference
  ) -> Envelope? {
    guard let extent = service["fullExtent"],
      let written = SpatialReference(esriJSON: extent["spatialReference"]),
      written.identified().isWebMercator, reference.identified().isWebMercator,
      let west = extent["xmin"]?.double, let south = extent["ymin"]?.double,
      let east = extent["xmax"]?.double, let north = extent["ymax"]?.double
    else { return nil }
    return bounds(
      of: Envelope(xMin: west, yMin: south, xMax: east, yMax: north), in: reference)
  }
}
