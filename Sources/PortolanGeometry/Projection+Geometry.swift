extension Projection {
  /// The shape in the target reference, vertex by vertex; straight lines stay straight.
  ///
  /// Empty shapes and vertices that are not-a-number stay so.
  ///
  /// - Throws: ``GeometryError/outsideProjection(_:)`` with the first vertex that has no
  ///   counterpart.
  public func project(_ geometry: Geometry) throws(GeometryError) -> Geometry {
    guard !isIdentity, !geometry.isEmpty else { return geometry }
    switch geometry {
    case .point(let point):
      let image = try project(point.coordinate)
      return .point(Point(x: image.x, y: image.y, z: point.z, m: point.m))
    case .multipoint(let multipoint):
      return .multipoint(Multipoint(points: try project(multipoint.points)))
    case .polyline(let polyline):
      return .polyline(Polyline(paths: try project(polyline.paths)))
    case .polygon(let polygon): return .polygon(Polygon(rings: try project(polygon.rings)))
    case .envelope(let envelope): return .envelope(try project(envelope))
    }
  }

  private func project(_ paths: [Path]) throws(GeometryError) -> [Path] {
    var images: [Path] = []
    images.reserveCapacity(paths.count)
    for path in paths { images.append(try project(path)) }
    return images
  }

  private func project(_ path: Path) throws(GeometryError) -> Path {
    let images = project(path.coordinates)
    for (image, coordinate) in zip(images, path.coordinates)
    where image.x.isNaN && !coordinate.x.isNaN && !coordinate.y.isNaN {
      throw .outsideProjection(coordinate)
    }
    return Path(images, z: path.z, m: path.m)
  }
}
