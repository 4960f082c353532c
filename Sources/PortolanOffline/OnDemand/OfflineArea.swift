public import PortolanGeometry
internal import PortolanJSON

/// The area of a map that is taken offline: a box or a polygon, with its spatial reference.
public struct OfflineArea: Hashable, Sendable {
  /// An envelope or a polygon.
  public let geometry: Geometry
  /// The spatial reference of the coordinates.
  public let spatialReference: SpatialReference

  /// An area that is a box, in the units of a spatial reference.
  public init(_ envelope: Envelope, _ spatialReference: SpatialReference) {
    geometry = .envelope(envelope)
    self.spatialReference = spatialReference
  }

  /// An area that is a polygon; features and tiles outside of it are left out.
  public init(_ polygon: Polygon, _ spatialReference: SpatialReference) {
    geometry = .polygon(polygon)
    self.spatialReference = spatialReference
  }

  /// The box around it, in ``spatialReference``.
  public var extent: Envelope { geometry.extent ?? .empty }

  /// Refuses areas that services cannot export, before any of them is asked.
  ///
  /// - Throws: ``OfflineMapError/areaEmpty``, ``OfflineMapError/areaCrossesDateline``,
  ///   ``OfflineMapError/areaCrossesItself``.
  public func check() throws(OfflineMapError) {
    if case .envelope(let box) = geometry, box.xMin > box.xMax { throw .areaCrossesDateline }
    let extent = extent
    guard extent.width > 0, extent.height > 0 else { throw .areaEmpty }
    guard !crossesDateline(extent), !hasEdgeAcrossDateline else { throw .areaCrossesDateline }
    guard !crossesItself else { throw .areaCrossesItself }
  }

  private var crossesItself: Bool {
    guard case .polygon(let polygon) = geometry else { return false }
    // Rings in any order and direction bound an area.
    let arranged = Geometry.polygon(Polygon(arranging: polygon.rings))
    do throws(GeometryError) {
      guard try !GeometryEngine.isSimple(arranged) else { return false }
      return try Self.cross(polygon.rings)
    } catch {
      // What cannot be examined is left to the services to refuse.
      return false
    }
  }

  /// Whether a ring crosses itself or another one; parts of an area may lie side by side.
  private static func cross(_ rings: [Path]) throws(GeometryError) -> Bool {
    let lines = rings.map { Geometry.polyline(Polyline(paths: [$0])) }
    for (index, line) in lines.enumerated() {
      guard try GeometryEngine.isSimple(line) else { return true }
      for other in lines[..<index]
      where try GeometryEngine.isGeometry(line, crossing: other) {
        return true
      }
    }
    return false
  }

  /// The area in other coordinates.
  ///
  /// - Throws: `GeometryError` where there is no way from one to the other.
  public func projected(to target: SpatialReference) throws(GeometryError) -> OfflineArea {
    let projected = try Projection(from: spatialReference, to: target).project(geometry)
    return OfflineArea(geometry: projected, spatialReference: target)
  }

  private init(geometry: Geometry, spatialReference: SpatialReference) {
    self.geometry = geometry
    self.spatialReference = spatialReference
  }

  /// The longitude of the dateline in the units of Web Mercator.
  private static let halfWorld = 20_037_508.342_789_244

  /// The easting of the dateline; `nil` where another reference decides.
  private var limit: Double? {
    if spatialReference.isWGS84 { return 180 }
    return spatialReference.isWebMercator ? Self.halfWorld : nil
  }

  /// Whether an edge of the polygon is shorter across the dateline than the other way round, so that
  /// the other way is never meant; one from dateline to dateline goes around the earth.
  private var hasEdgeAcrossDateline: Bool {
    guard case .polygon(let polygon) = geometry, let limit else { return false }
    return polygon.rings.map(\.coordinates).contains { ring in
      zip(ring, ring.dropFirst()).contains { start, end in
        let isWhole = min(abs(start.x), abs(end.x)) > limit * (1 - 1e-9)
        return abs(end.x - start.x) > limit * (1 + 1e-9) && !isWhole
      }
    }
  }

  private func crossesDateline(_ extent: Envelope) -> Bool {
    guard let limit else { return crossesDatelineElsewhere(extent) }
    // A box that ends at the dateline does not cross it.
    let tolerance = limit * 1e-9
    return extent.xMin < -limit - tolerance || extent.xMax > limit + tolerance
  }

  /// Whether going east along the middle leads back to the west.
  private func crossesDatelineElsewhere(_ extent: Envelope) -> Bool {
    let y = extent.center.y
    do {
      let projection = try Projection(from: spatialReference, to: .wgs84)
      let west = try projection.project(Coordinate(x: extent.xMin, y: y))
      let east = try projection.project(Coordinate(x: extent.xMax, y: y))
      return west.x > east.x
    } catch {
      // Coordinates without a known reference are left to the services to refuse.
      return false
    }
  }
}

extension OfflineArea: Codable {
  private enum CodingKeys: CodingKey { case esri }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let json = try JSONValue(parsing: try container.decode(String.self, forKey: .esri))
    guard let reference = SpatialReference(esriJSON: json["spatialReference"]) else {
      throw DecodingError.dataCorruptedError(
        forKey: .esri, in: container, debugDescription: "the area has no spatial reference")
    }
    self.init(geometry: try Geometry(esriJSON: json), spatialReference: reference)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let json = geometry.esriJSON(spatialReference: spatialReference)
    try container.encode(json.text(), forKey: .esri)
  }
}
