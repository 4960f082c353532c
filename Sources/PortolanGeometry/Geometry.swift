/// A shape, without its spatial reference, which belongs to the table or document it came from.
public enum Geometry: Hashable, Sendable, Codable {
  case point(Point)
  case multipoint(Multipoint)
  case polyline(Polyline)
  case polygon(Polygon)
  case envelope(Envelope)
}

/// The kinds of shape, with the names that services and packages write.
public enum GeometryType: String, Hashable, Sendable, Codable, CaseIterable {
  case point = "esriGeometryPoint"
  case multipoint = "esriGeometryMultipoint"
  case polyline = "esriGeometryPolyline"
  case polygon = "esriGeometryPolygon"
  case envelope = "esriGeometryEnvelope"
}

/// A position with an optional height and measure.
public struct Point: Hashable, Sendable, Codable {
  /// The easting or longitude.
  public var x: Double
  /// The northing or latitude.
  public var y: Double
  /// The height.
  public var z: Double?
  /// The measure.
  public var m: Double?

  /// Creates a point.
  public init(x: Double, y: Double, z: Double? = nil, m: Double? = nil) {
    self.x = x
    self.y = y
    self.z = z
    self.m = m
  }

  /// The position alone.
  public var coordinate: Coordinate { Coordinate(x: x, y: y) }
}

/// A set of positions.
public struct Multipoint: Hashable, Sendable, Codable {
  /// The points.
  public var points: Path

  /// Creates a multipoint.
  public init(points: Path) { self.points = points }
}

/// One or more lines.
public struct Polyline: Hashable, Sendable, Codable {
  /// The lines.
  public var paths: [Path]

  /// Creates a polyline.
  public init(paths: [Path]) { self.paths = paths }
}

/// One or more areas, each with any number of holes.
///
/// Rings are closed (the last vertex repeats the first). **Exterior rings run counter-clockwise,
/// holes clockwise** (y up), as in GeoJSON and in mobile geodatabases, and the opposite of Esri
/// JSON. A hole stands after its exterior ring and before the next one. Readers bring what they
/// find into this order; see ``init(arranging:)``.
public struct Polygon: Hashable, Sendable, Codable {
  /// The rings, each exterior followed by its holes.
  public var rings: [Path]

  /// Creates a polygon from rings that already are as described above.
  public init(rings: [Path]) { self.rings = rings }
}

extension Geometry {
  /// The kind.
  public var type: GeometryType {
    switch self {
    case .point: .point
    case .multipoint: .multipoint
    case .polyline: .polyline
    case .polygon: .polygon
    case .envelope: .envelope
    }
  }

  /// The runs of vertices: one for a point or a multipoint, none for an envelope.
  public var paths: [Path] {
    switch self {
    case .point(let point):
      [Path([point.coordinate], z: point.z.map { [$0] }, m: point.m.map { [$0] })]
    case .multipoint(let multipoint): [multipoint.points]
    case .polyline(let polyline): polyline.paths
    case .polygon(let polygon): polygon.rings
    case .envelope: []
    }
  }

  /// Whether there is no vertex at all.
  public var isEmpty: Bool {
    switch self {
    case .point(let point): point.x.isNaN
    case .envelope(let envelope): envelope.isEmpty
    default: paths.allSatisfy { $0.coordinates.isEmpty }
    }
  }

  /// The smallest box around the shape, or `nil` if it is empty.
  public var extent: Envelope? {
    if case .envelope(let envelope) = self { return envelope.isEmpty ? nil : envelope }
    var extent = Envelope.empty
    for path in paths {
      for coordinate in path.coordinates where !coordinate.x.isNaN { extent.include(coordinate) }
    }
    return extent.isEmpty ? nil : extent
  }
}
