internal import Synchronization

/// Projects coordinates from one spatial reference to another.
///
/// x is the easting or longitude and y the northing or latitude on both sides, whatever order the
/// registry gives. Between WGS 84 and Web Mercator formulas are used, else PROJ, with the
/// transformations and grids installed on this machine. Making one for PROJ takes some
/// milliseconds: keep it. It may be used from several threads; with PROJ one waits for the other.
///
/// Heights and measures are carried along unchanged.
public final class Projection: Sendable {
  /// The reference of what goes in.
  public let source: SpatialReference

  /// The reference of what comes out.
  public let target: SpatialReference

  private let method: Method

  private enum Method: ~Copyable, Sendable {
    case none
    case toWebMercator
    case fromWebMercator
    case proj(Mutex<ProjTransformation>)
  }

  /// Finds the way from `source` to `target`.
  ///
  /// - Throws: ``GeometryError/unknownSpatialReference(_:reason:)`` or
  ///   ``GeometryError/noTransformation(from:to:reason:)``.
  public init(
    from source: SpatialReference, to target: SpatialReference
  ) throws(GeometryError) {
    self.source = source
    self.target = target
    let (start, end) = (source.identified(), target.identified())
    if start.isEquivalent(to: end) {
      method = .none
    } else if start.isWGS84, end.isWebMercator {
      method = .toWebMercator
    } else if start.isWebMercator, end.isWGS84 {
      method = .fromWebMercator
    } else {
      method = .proj(Mutex(try ProjTransformation(from: source, to: target)))
    }
  }

  /// Always goes through PROJ, which the formulas are held against.
  init(
    throughPROJFrom source: SpatialReference, to target: SpatialReference
  ) throws(GeometryError) {
    self.source = source
    self.target = target
    method = .proj(Mutex(try ProjTransformation(from: source, to: target)))
  }

  /// Whether coordinates stay as they are.
  public var isIdentity: Bool {
    switch method {
    case .none: true
    default: false
    }
  }

  /// The position in the target reference.
  ///
  /// - Throws: ``GeometryError/outsideProjection(_:)`` where it has none there.
  public func project(_ coordinate: Coordinate) throws(GeometryError) -> Coordinate {
    let image = project([coordinate])[0]
    guard image.x.isFinite, image.y.isFinite else { throw .outsideProjection(coordinate) }
    return image
  }

  /// The positions in the target reference, all at once, which is much faster than one by one.
  ///
  /// Positions without a counterpart have images that are not-a-number in both ordinates.
  public func project(_ coordinates: [Coordinate]) -> [Coordinate] {
    switch method {
    case .none: return coordinates
    case .toWebMercator: return coordinates.map { WebMercator.forward($0) }
    case .fromWebMercator: return coordinates.map { WebMercator.inverse($0) }
    case .proj(let transformation):
      var images = coordinates
      transformation.withLock { $0.transform(&images) }
      for index in images.indices where !(images[index].x + images[index].y).isFinite {
        images[index] = Coordinate(x: .nan, y: .nan)
      }
      return images
    }
  }

  /// The box around the image of `envelope`.
  ///
  /// The edges are followed, for they become curves, and poles inside are taken into account.
  /// What reaches across the date line becomes as wide as the world. From WGS 84 to Web Mercator
  /// latitudes are cut at ±89°, as ArcGIS does, for the poles are infinitely far away.
  ///
  /// - Throws: ``GeometryError/outsideProjection(_:)`` with the box's middle where no part of it
  ///   has a counterpart.
  public func project(_ envelope: Envelope) throws(GeometryError) -> Envelope {
    guard !envelope.isEmpty else { return .empty }
    switch method {
    case .none: return envelope
    case .toWebMercator:
      return Envelope(corners: project(envelope.cut(atLatitude: WebMercator.latitudeLimit).corners))
    case .fromWebMercator: return Envelope(corners: project(envelope.corners))
    case .proj(let transformation):
      let bounds = transformation.withLock { $0.bounds(of: envelope) }
      let image = bounds?.withoutDateLine ?? Envelope(corners: project(envelope.grid))
      guard !image.isEmpty else { throw .outsideProjection(envelope.center) }
      return image
    }
  }
}

extension Envelope {
  /// The box around those positions that are numbers.
  fileprivate init(corners: [Coordinate]) {
    self = .empty
    for corner in corners where corner.x.isFinite && corner.y.isFinite { include(corner) }
  }

  fileprivate var corners: [Coordinate] {
    [Coordinate(x: xMin, y: yMin), Coordinate(x: xMax, y: yMax)]
  }

  /// Positions all over the box, its corners among them.
  fileprivate var grid: [Coordinate] {
    let steps = (0...20).map { Double($0) / 20 }
    return steps.flatMap { across in
      steps.map { up in Coordinate(x: xMin + across * width, y: yMin + up * height) }
    }
  }

  fileprivate func cut(atLatitude limit: Double) -> Envelope {
    Envelope(
      xMin: xMin, yMin: max(-limit, min(limit, yMin)), xMax: xMax,
      yMax: max(-limit, min(limit, yMax)))
  }

  /// PROJ gives a western edge east of the eastern one across the date line.
  fileprivate var withoutDateLine: Envelope {
    xMin <= xMax ? self : Envelope(xMin: -180, yMin: yMin, xMax: 180, yMax: yMax)
  }
}
