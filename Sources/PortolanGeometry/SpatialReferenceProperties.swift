/// The properties of a spatial reference beside its id.
public struct SpatialReferenceProperties: Hashable, Sendable, Codable {
  /// The name in the registry it comes from.
  public let name: String

  /// Whether coordinates are longitudes and latitudes.
  public let isGeographic: Bool

  /// The unit of the coordinates, as the registry calls it: `degree`, `metre`, `US survey foot`.
  public let unitName: String

  /// The length of a unit in metres; for angles, along the equator.
  public let metersPerUnit: Double

  /// Creates a description.
  public init(name: String, isGeographic: Bool, unitName: String, metersPerUnit: Double) {
    self.name = name
    self.isGeographic = isGeographic
    self.unitName = unitName
    self.metersPerUnit = metersPerUnit
  }

  /// The length of a degree in metres along the equator of WGS 84, as map scales take it.
  public static let metersPerDegree = 111_319.490_793_273_58

  /// Longitude and latitude on WGS 84.
  public static let wgs84 = SpatialReferenceProperties(
    name: "WGS 84", isGeographic: true, unitName: "degree", metersPerUnit: metersPerDegree)

  /// The spherical Mercator of the web.
  public static let webMercator = SpatialReferenceProperties(
    name: "WGS 84 / Pseudo-Mercator", isGeographic: false, unitName: "metre", metersPerUnit: 1)

  /// Dots in an inch of the screen that map scales are computed for, by convention.
  private static let dotsPerInch = 96.0

  /// Inches in a metre, as the scales of ArcGIS have it: level 0 of the web is 1:591657527.591555.
  private static let inchesPerMeter = 39.37

  /// The denominator of the map scale at which a pixel is `resolution` units wide.
  ///
  /// For a screen of 96 dots an inch, as all ArcGIS services have it.
  public func scale(forResolution resolution: Double) -> Double {
    resolution * metersPerUnit * Self.dotsPerInch * Self.inchesPerMeter
  }

  /// The size of a pixel in units at the map scale of 1:`scale`; see ``scale(forResolution:)``.
  public func resolution(forScale scale: Double) -> Double {
    scale / (Self.dotsPerInch * Self.inchesPerMeter * metersPerUnit)
  }
}
