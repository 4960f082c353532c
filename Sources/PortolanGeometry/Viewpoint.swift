/// The visible part of a map: its place, size and rotation.
public struct Viewpoint: Hashable, Sendable, Codable {
  /// The place.
  public enum Target: Hashable, Sendable, Codable {
    /// The middle of the view.
    case center(Coordinate)
    /// The extent that the view must contain.
    case extent(Envelope)
  }

  /// The place, in units of ``spatialReference``.
  public var target: Target

  /// The denominator of the map scale, if the writer gave one; larger means further away.
  public var scale: Double?

  /// The direction that is up, in degrees clockwise from north.
  public var rotation: Double

  /// The spatial reference of the coordinates, if known; else they are in the map's own reference.
  public var spatialReference: SpatialReference?

  /// Creates a viewpoint.
  public init(
    target: Target, scale: Double? = nil, rotation: Double = 0,
    spatialReference: SpatialReference? = nil
  ) {
    self.target = target
    self.scale = scale
    self.rotation = rotation
    self.spatialReference = spatialReference
  }

  /// A viewpoint of a middle and a scale.
  public static func center(
    _ center: Coordinate, scale: Double, rotation: Double = 0,
    spatialReference: SpatialReference? = nil
  ) -> Viewpoint {
    Viewpoint(
      target: .center(center), scale: scale, rotation: rotation,
      spatialReference: spatialReference)
  }

  /// A viewpoint that holds an extent.
  public static func extent(
    _ extent: Envelope, rotation: Double = 0, spatialReference: SpatialReference? = nil
  ) -> Viewpoint {
    Viewpoint(target: .extent(extent), rotation: rotation, spatialReference: spatialReference)
  }

  /// The middle of the view, in units of ``spatialReference``.
  public var center: Coordinate {
    switch target {
    case .center(let center): center
    case .extent(let extent): extent.center
    }
  }
}
