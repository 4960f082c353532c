package import PortolanGeometry

/// Asks of blobs how far their shapes are from a place, without decoding them to arrays.
///
/// Works in the whole numbers of the blobs, so that nothing is divided. Rings that follow each
/// other within a part, and parts, count together by the even-odd rule: holes are outside
/// whichever way they are written.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7
package struct GeometryBlobProbe: Sendable {
  let x: Double
  let y: Double
  private let reach: Double
  private let margin: Double
  private let scale: Double

  /// Creates a probe at `place` in the table's spatial reference.
  ///
  /// The tolerance is in the units of the reference; 0 asks for what is exactly there.
  package init(at place: Coordinate, tolerance: Double, precision: CoordinatePrecision) {
    x = (place.x - precision.xOrigin) * precision.xyScale
    y = (place.y - precision.yOrigin) * precision.xyScale
    scale = precision.xyScale
    margin = max(0, tolerance) * precision.xyScale
    reach = margin * margin
  }

  /// Whether a shape is within the tolerance of the place, or around it.
  package func touches(_ bytes: UnsafeRawBufferPointer) throws(GeometryBlobError) -> Bool {
    let header = try unsafe GeometryBlobHeader(bytes)
    guard !header.isNil, mayTouch(header.box) else { return false }
    let pairs = unsafe PairReader(bytes, header)
    return try squaredDistance(pairs, header.shapeClass, enough: reach) <= reach
  }

  /// The distance to a shape in the units of the reference: 0 inside areas, `nil` for no shape.
  package func distance(to bytes: UnsafeRawBufferPointer) throws(GeometryBlobError) -> Double? {
    let header = try unsafe GeometryBlobHeader(bytes)
    guard !header.isNil else { return nil }
    let pairs = unsafe PairReader(bytes, header)
    let squared = try squaredDistance(pairs, header.shapeClass, enough: -1)
    return squared.isFinite ? squared.squareRoot() / scale : nil
  }

  private func mayTouch(_ box: GeometryBlobHeader.Box?) -> Bool {
    guard let box else { return true }
    return x >= Double(box.xMin) - margin && x <= Double(box.xMax) + margin
      && y >= Double(box.yMin) - margin && y <= Double(box.yMax) + margin
  }

  /// The squared distance in steps; need not be the least once it is at most `enough`.
  private func squaredDistance(
    _ pairs: PairReader, _ shapeClass: GeometryBlobHeader.ShapeClass, enough: Double
  ) throws(GeometryBlobError) -> Double {
    switch shapeClass {
    case .point, .multipoint: try squaredDistanceToPoints(pairs, enough: enough)
    case .line: try squaredDistanceToLine(pairs, enough: enough)
    case .polygon: try squaredDistanceToArea(pairs, enough: enough)
    }
  }

  private func squaredDistanceToPoints(
    _ pairs: PairReader, enough: Double
  ) throws(GeometryBlobError) -> Double {
    var (pairs, least) = (pairs, Double.infinity)
    while try pairs.advance() {
      least = min(least, offset(of: pairs).squaredLength)
      if least <= enough { break }
    }
    return least
  }

  private func squaredDistanceToLine(
    _ pairs: PairReader, enough: Double
  ) throws(GeometryBlobError) -> Double {
    var (pairs, least) = (pairs, Double.infinity)
    var previous: ProbeOffset?
    while try pairs.advance() {
      guard !pairs.isSeparator else {
        previous = nil
        continue
      }
      let current = offset(of: pairs)
      least = min(least, (previous ?? current).squaredDistance(toSegmentEndingAt: current))
      if least <= enough { break }
      previous = current
    }
    return least
  }

  private func squaredDistanceToArea(
    _ pairs: PairReader, enough: Double
  ) throws(GeometryBlobError) -> Double {
    var pairs = pairs
    // Without a tolerance it is enough to know on which side of each edge the place lies.
    var area = AreaProbe(measuresDistance: enough != 0)
    while try pairs.advance() {
      if pairs.isSeparator {
        area.endPart()
      } else {
        area.include(pairs.x, pairs.y, offset(of: pairs))
        if area.least <= enough { return area.least }
      }
    }
    area.endPart()
    return area.isInside ? 0 : area.least
  }

  @inline(__always)
  private func offset(of pairs: PairReader) -> ProbeOffset {
    ProbeOffset(x: Double(pairs.x) - x, y: Double(pairs.y) - y)
  }
}
