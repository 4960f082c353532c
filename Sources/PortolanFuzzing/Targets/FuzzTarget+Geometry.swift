internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

extension FuzzTarget {
  /// A shape in Esri JSON is read, asked and written in every form.
  static let esriJSON = FuzzTarget(
    "esri-json", words: FormatWords.json + FormatWords.shapes, form: .json,
    texts: GeometrySeeds.esriJSON
  ) { data in
    let json = try JSONValue(parsing: data)
    _ = try? Viewpoint(esriJSON: json)  // most shapes are none
    try exercise(Geometry(esriJSON: json))
  }

  /// A shape in GeoJSON is read, asked and written in every form.
  static let geoJSON = FuzzTarget(
    "geojson",
    words: FormatWords.json + ["\"coordinates\"", "\"geometries\"", "\"type\":\"Point\""],
    form: .json,
    texts: GeometrySeeds.geoJSON
  ) { data in
    try exercise(Geometry(geoJSON: JSONValue(parsing: data)))
  }

  /// A shape in well-known binary is read, asked and written in every form.
  static let wellKnownBinary = FuzzTarget(
    "wkb", seeds: GeometrySeeds.wellKnownBinary
  ) { data in
    try exercise(Geometry(wellKnownBinary: [UInt8](data).span.bytes))
  }

  /// What every user of a shape does with it.
  private static func exercise(_ shape: Geometry) throws {
    let box = Envelope(xMin: -1, yMin: -1, xMax: 3, yMax: 3)
    _ = (shape.extent, shape.isEmpty, shape.intersects(box))
    _ = shape.squaredDistance(to: Coordinate(x: 1, y: 1))
    if case .polygon(let polygon) = shape { _ = polygon.parts.count }
    _ = shape.geoJSON()
    _ = try FuzzFinding.mustWork("read again as Esri JSON") {
      try Geometry(esriJSON: shape.esriJSON())
    }
    _ = try FuzzFinding.mustWork("read again as binary") {
      try Geometry(wellKnownBinary: shape.wellKnownBinary().span.bytes)
    }
  }
}
