internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanTiles

/// A vector tile and the extent in which a part of it is drawn.
package struct PlacedVectorTile: Sendable {
  package let tile: VectorTile
  /// The extent of the whole tile, in the reference of its scheme.
  let extent: Envelope
  /// The extent that is drawn, which is smaller where a coarser tile stands in.
  let drawn: Envelope
  /// The spatial reference of the extents.
  var spatialReference = SpatialReference.webMercator

  /// The parts of points and lines in the extent that is drawn; other tiles have the rest.
  func clipped(_ geometry: Geometry) -> Geometry {
    switch geometry {
    case .multipoint(let multipoint):
      // Points on an edge belong to one of the tiles there.
      let places = multipoint.points.coordinates.filter {
        $0.x >= drawn.xMin && $0.x < drawn.xMax && $0.y > drawn.yMin && $0.y <= drawn.yMax
      }
      return .multipoint(Multipoint(points: Path(places)))
    case .polyline(let polyline):
      let pieces = polyline.paths.flatMap { LineClipper.clip($0.coordinates, to: drawn) }
      return .polyline(Polyline(paths: pieces.map { Path($0) }))
    default: return geometry
    }
  }

  /// A shape of a layer in map coordinates; `asLines` has its rings begin where lines along them do.
  func geometry(
    _ feature: VectorTileFeature, _ layer: VectorTileLayer, asLines: Bool = false
  ) -> Geometry {
    let (across, down) = (extent.width / layer.extent, extent.height / layer.extent)
    let starts = asLines ? feature.ringStarts : []
    let paths = feature.paths.enumerated().map { number, ring in
      let start = starts.indices.contains(number) ? starts[number] : 0
      let path = start > 0 && start < ring.count ? ring[start...] + ring[..<start] : ring[...]
      return Path(
        path.map { Coordinate(x: extent.xMin + $0.x * across, y: extent.yMax - $0.y * down) })
    }
    switch feature.kind {
    case .point:
      return .multipoint(Multipoint(points: Path(paths.flatMap(\.coordinates))))
    case .line: return .polyline(Polyline(paths: paths))
    case .polygon: return .polygon(Polygon(rings: paths))
    }
  }
}

extension [PlacedVectorTile] {
  /// The tiles from the top of the picture to its foot, and from left to right.
  ///
  /// So symbols of tiles have their turn in MapLibre. The tiles are given in that order for a map
  /// that is not turned.
  ///
  /// - Parameter degrees: By how much the map is turned, clockwise.
  /// - Returns: The same tiles.
  package func inReadingOrder(turnedBy degrees: Double) -> Self {
    guard degrees != 0 else { return self }
    let turn = PixelRotation(-degrees)
    let places = map { tile -> Coordinate in
      let (ground, width) = (tile.drawn, tile.drawn.width)
      return turn(Coordinate(x: ground.xMin / width, y: -ground.yMax / ground.height))
    }
    // In small shares of a tile, for the last digits say nothing.
    func key(_ index: Int) -> (Double, Double, Int) {
      ((places[index].y * 1e6).rounded(), (places[index].x * 1e6).rounded(), index)
    }
    return indices.sorted { key($0) < key($1) }.map { self[$0] }
  }
}
