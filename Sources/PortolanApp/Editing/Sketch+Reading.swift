public import Foundation
internal import PortolanGeometry
internal import PortolanJSON

extension Sketch {
  /// Reads a shape: GeoJSON (a geometry or a feature) in degrees unless it is said to be native, or
  /// Esri JSON in the reference that it names.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - isNative: Whether coordinates whose reference is not said are in the layer's own.
  /// - Throws: What keeps the bytes from being a shape.
  public init(reading data: Data, isNative: Bool) throws {
    let json = try JSONValue(parsing: data)
    let object = json.object ?? [:]
    let part = object["geometry"] ?? json
    if object["type"]?.string != nil {
      self = .shape(try Geometry(geoJSON: part), isNative ? nil : .wgs84)
      return
    }
    let reference = part.object?["spatialReference"].flatMap(SpatialReference.init(esriJSON:))
    self = .shape(try Geometry(esriJSON: part), reference ?? (isNative ? nil : .wgs84))
  }
}
