/// A shape, without its spatial reference, which belongs to the table or document it came from.
public enum Geometry: Hashable, Sendable, Codable {
  case point(Point)
  case multipoint(Multipoint)
  case polyline(Polyline)
  case polygon(Polygon)
  case envelope(Envelope)
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
