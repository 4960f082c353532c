internal import Foundation

/// The formulas of EPSG:3857, which treats longitudes and latitudes of WGS 84 as on a sphere.
///
/// Longitudes are not wrapped into ±180°: boxes across the date line stay in one piece. PROJ does
/// wrap them, which is the only difference.
///
/// - SeeAlso: [Guidance note 7-2, 3.2.1.2](https://epsg.org/guidance-notes.html)
enum WebMercator {
  /// The equatorial radius of WGS 84 in metres.
  static let radius = 6_378_137.0

  /// The latitude at which ArcGIS cuts the boxes of whole-world maps.
  static let latitudeLimit = 89.0

  /// The projection from degrees to metres; not-a-number beyond the poles.
  @inline(__always)
  static func forward(_ position: Coordinate) -> Coordinate {
    guard abs(position.y) <= 90 else { return Coordinate(x: .nan, y: .nan) }
    return Coordinate(
      x: position.x * (.pi / 180) * radius, y: asinh(tan(position.y * (.pi / 180))) * radius)
  }

  /// The projection from metres to degrees.
  @inline(__always)
  static func inverse(_ position: Coordinate) -> Coordinate {
    Coordinate(
      x: position.x / radius * (180 / .pi), y: atan(sinh(position.y / radius)) * (180 / .pi))
  }
}
