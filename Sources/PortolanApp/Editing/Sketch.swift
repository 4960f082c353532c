internal import PortolanFeatures
public import PortolanGeometry

/// A shape in the making: one vertex after the other, in one part or several, or a shape from
/// elsewhere.
public enum Sketch: Hashable, Sendable {
  /// A position that was selected on the map or typed.
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
  /// The vertices of several paths or rings; a ring inside of another is a hole.
  case parts([[Vertex]], FeatureExport.Coordinates)
  /// A shape and what its coordinates mean; `nil` for the layer's own reference.
  case shape(Geometry, SpatialReference?)

  /// The shape in a layer's own reference.
  ///
  /// - Parameters:
  ///   - schema: The layer.
  ///   - former: The shape whose place it takes: a point that is moved on a map, which says nothing of
  ///     heights and measures, keeps its own, and so do vertices of other shapes that stay where they are
  ///     their measures.
  /// - Returns: The shape, with a height at each vertex where the layer has heights.
  /// - Throws: A problem if the vertices make no shape of the layer's kind, or it cannot be
  ///   projected.
  func geometry(
    for schema: FeatureTableSchema, replacing former: Geometry? = nil
  ) throws(Problem) -> Geometry {
    switch self {
    case .vertices(let vertices, let coordinates):
      return try Sketch.parts([vertices], coordinates).geometry(for: schema, replacing: former)
    case .parts(let parts, let coordinates):
      let whole = schema.hasZ ? Self.keepingHeight(of: former, parts) : parts
      let shape = try Self.shape(of: whole, as: schema)
      let placed = try Self.projected(shape, from: coordinates.spatialReference, to: schema)
      return schema.hasM ? Self.keepingMeasures(of: former, placed, in: schema) : placed
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

  private static func keepingHeight(of former: Geometry?, _ parts: [[Vertex]]) -> [[Vertex]] {
    guard case .point(let point)? = former, parts.count == 1, parts[0].count == 1,
      parts[0][0].z == nil
    else { return parts }
    return [[Vertex(x: parts[0][0].x, y: parts[0][0].y, z: point.z)]]
  }

  private static func keepingMeasures(
    of former: Geometry?, _ shape: Geometry, in schema: FeatureTableSchema
  ) -> Geometry {
    guard let former else { return shape }
    guard case .point(var new) = shape else {
      return FormerMeasures(of: former, in: schema.spatialReference)?.kept(in: shape) ?? shape
    }
    guard case .point(let old) = former, new.m == nil else { return shape }
    new.m = old.m
    return .point(new)
  }

  /// The vertices of a part with heights for those that were drawn without: that of the vertex before,
  /// else of the one behind, else 0, as ArcGIS begins shapes.
  private static func withHeights(_ part: [Vertex]) -> [Vertex] {
    var height = part.lazy.compactMap(\.z).first ?? 0
    return part.map { vertex in
      var vertex = vertex
      height = vertex.z ?? height
      vertex.z = height
      return vertex
    }
  }

  /// Whether all vertices are to have heights: not if none has one and the layer does not ask for any.
  private static func needHeights(_ parts: [[Vertex]], in schema: FeatureTableSchema) -> Bool {
    schema.hasZ && (!schema.mayLackHeights || parts.contains { $0.contains { $0.z != nil } })
  }

  private static func shape(
    of parts: [[Vertex]], as schema: FeatureTableSchema
  ) throws(Problem) -> Geometry {
    guard let type = schema.geometryType else {
      throw Problem(FeatureEditError.geometryNotAllowed(EditPlace(table: schema.name)))
    }
    let parts = needHeights(parts, in: schema) ? parts.map(withHeights) : parts
    let vertices = parts.flatMap(\.self)
    let heights = vertices.compactMap(\.z)
    guard heights.isEmpty || heights.count == vertices.count else {
      throw Problem(
        message: "Some vertices have a height and some have none.",
        suggestion: "Give all of them one, or none.")
    }
    func path(_ vertices: [Vertex]) -> Path {
      Path(
        vertices.map { Coordinate(x: $0.x, y: $0.y) },
        z: heights.isEmpty ? nil : vertices.compactMap(\.z))
    }
    switch type {
    case .point:
      guard let vertex = vertices.first, vertices.count == 1 else {
        throw Problem(
          message: "A point has one position, not \(vertices.count).", suggestion: "Give one.")
      }
      return .point(Point(x: vertex.x, y: vertex.y, z: vertex.z))
    case .multipoint: return .multipoint(Multipoint(points: path(vertices)))
    case .polyline: return .polyline(Polyline(paths: parts.map(path)))
    case .polygon, .envelope: return .polygon(Polygon(arranging: parts.map(path)))
    }
  }
}
