internal import PortolanFeatures
public import PortolanGeometry

/// A shape as a person draws it: one vertex after the other, or a shape from elsewhere.
public enum Sketch: Hashable, Sendable {
  /// A position that was tapped or typed.
  public struct Vertex: Hashable, Sendable {
    /// The easting or longitude.
    public var x: Double
    /// The northing or latitude.
    public var y: Double
    /// The height, if one was given.
    public var z: Double?

    /// Creates a vertex.
    public init(x: Double, y: Double, z: Double? = nil) {
      self.x = x
      self.y = y
      self.z = z
    }
  }

  /// A point, the vertices of one path, or those of one ring, which need not be closed; what they
  /// are is for the layer to say.
  case vertices([Vertex], FeatureExport.Coordinates)
  /// A shape and what its coordinates mean; `nil` for the layer's own reference.
  case shape(Geometry, SpatialReference?)

  /// The shape in a layer's own reference.
  ///
  /// - Throws: A problem if the vertices make no shape of the layer's kind, or it cannot be
  ///   projected.
  func geometry(for schema: FeatureTableSchema) throws(Problem) -> Geometry {
    switch self {
    case .vertices(let vertices, let coordinates):
      let shape = try Self.shape(of: vertices, as: schema)
      return try Self.projected(shape, from: coordinates == .wgs84 ? .wgs84 : nil, to: schema)
    case .shape(let shape, let reference):
      return try Self.projected(shape, from: reference, to: schema)
    }
  }

  private static func projected(
    _ shape: Geometry, from reference: SpatialReference?, to schema: FeatureTableSchema
  ) throws(Problem) -> Geometry {
    guard let reference, let native = schema.spatialReference, reference != native else {
      return shape
    }
    do {
      return try Projection(from: reference, to: native).project(shape)
    } catch {
      throw Problem(error)
    }
  }

  private static func shape(
    of vertices: [Vertex], as schema: FeatureTableSchema
  ) throws(Problem) -> Geometry {
    guard let type = schema.geometryType else {
      throw Problem(FeatureEditError.geometryNotAllowed(EditPlace(table: schema.name)))
    }
    let heights = vertices.compactMap(\.z)
    guard heights.isEmpty || heights.count == vertices.count else {
      throw Problem(
        message: "Some vertices have a height and some have none.",
        suggestion: "Give all of them one, or none.")
    }
    let coordinates = vertices.map { Coordinate(x: $0.x, y: $0.y) }
    let path = Path(coordinates, z: heights.isEmpty ? nil : heights)
    switch type {
    case .point:
      guard let vertex = vertices.first, vertices.count == 1 else {
        throw Problem(
          message: "A point has one position, not \(vertices.count).", suggestion: "Give one.")
      }
      return .point(Point(x: vertex.x, y: vertex.y, z: vertex.z))
    case .multipoint: return .multipoint(Multipoint(points: path))
    case .polyline: return .polyline(Polyline(paths: [path]))
    case .polygon, .envelope: return .polygon(Polygon(arranging: [path]))
    }
  }
}
