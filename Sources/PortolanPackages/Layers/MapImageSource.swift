public import Foundation
public import PortolanGeometry
public import PortolanTiles

/// A request for a picture of a service.
public struct MapImageRequest: Hashable, Sendable {
  /// The extent, in ``spatialReference``.
  public var extent: Envelope
  /// The spatial reference of ``extent``, and that of the picture.
  public var spatialReference: SpatialReference
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// The pixels in an inch, for the size of symbols and texts.
  public var dotsPerInch: Int

  /// Creates a request.
  public init(
    extent: Envelope, spatialReference: SpatialReference, width: Int, height: Int,
    dotsPerInch: Int
  ) {
    self.extent = extent
    self.spatialReference = spatialReference
    self.width = width
    self.height = height
    self.dotsPerInch = dotsPerInch
  }
}

/// A service that draws pictures itself, as map services and image services do by `export`.
public protocol MapImageSource: OnlineSource {
  /// The most pixels along a side of one picture.
  var maximumSide: (width: Int, height: Int) { get }
  /// The attribution, if the service has one.
  var attribution: String? { get }
  /// What the map asks for that the service does not draw, in clauses for people.
  var problems: [String] { get }

  /// The encoded picture.
  ///
  /// - Throws: `TileError/unreadable(file:reason:)` if the service refuses or does not answer.
  @concurrent func image(_ request: MapImageRequest) async throws(TileError) -> Data
}
