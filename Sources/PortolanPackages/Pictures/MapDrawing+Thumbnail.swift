public import PortolanGeometry
public import PortolanMap

extension MapDrawing {
  /// A small picture of a map as it opens, or of a part of it, as a PNG file.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - extent: The extent shown, in `spatialReference`; `nil` for what the map shows at first.
  ///   - spatialReference: What the coordinates of `extent` mean.
  ///   - width: In pixels.
  ///   - height: In pixels.
  /// - Returns: The picture, with what it could not show.
  /// - Throws: Why the size cannot be drawn.
  @concurrent public func thumbnail(
    of map: MobileMap, showing extent: Envelope? = nil,
    in spatialReference: SpatialReference = .wgs84, width: Double = 200, height: Double = 133
  ) async throws -> MapPicture {
    var frame = map.initialFrame(width: width, height: height)
    if let extent {
      // A place that the map's reference does not have leaves the map as it opens.
      let shown = try? frame.showing(.extent(extent, spatialReference: spatialReference))
      frame = shown ?? frame
    }
    return try await picture(of: DrawnMap(of: map), MapPictureRequest(frame: frame))
  }
}
