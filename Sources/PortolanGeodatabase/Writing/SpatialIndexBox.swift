package import PortolanGeometry

/// A box as an R*Tree of SQLite stores it: 32-bit, rounded outwards.
package struct SpatialIndexBox: Hashable, BitwiseCopyable {
  package var xMin: Float
  package var xMax: Float
  package var yMin: Float
  package var yMax: Float

  /// Rounds a box exactly as SQLite does on insertion.
  package init(_ envelope: Envelope) {
    xMin = Self.roundedDown(envelope.xMin)
    xMax = Self.roundedUp(envelope.xMax)
    yMin = Self.roundedDown(envelope.yMin)
    yMax = Self.roundedUp(envelope.yMax)
  }

  /// Refuses a box that 32-bit numbers cannot hold.
  ///
  /// - Throws: ``GeometryBlobError/outsideDomain(value:)``.
  package static func check(_ envelope: Envelope) throws(GeometryBlobError) {
    let edges = [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
    for edge in edges where !edgeRange.contains(edge) { throw .outsideDomain(value: edge) }
  }

  /// The edges that can be rounded outwards.
  package static let edgeRange = -3.4e38...3.4e38

  /// Grows the box so that it holds `other`.
  package mutating func formUnion(_ other: SpatialIndexBox) {
    xMin = min(xMin, other.xMin)
    xMax = max(xMax, other.xMax)
    yMin = min(yMin, other.yMin)
    yMax = max(yMax, other.yMax)
  }

  private static let awayFromZero = 1 + 1 / 8_388_608.0
  private static let towardsZero = 1 - 1 / 8_388_608.0

  private static func roundedDown(_ value: Double) -> Float {
    let nearest = Float(value)
    guard Double(nearest) > value else { return nearest }
    return Float(value * (value < 0 ? awayFromZero : towardsZero))
  }

  private static func roundedUp(_ value: Double) -> Float {
    let nearest = Float(value)
    guard Double(nearest) < value else { return nearest }
    return Float(value * (value < 0 ? towardsZero : awayFromZero))
  }
}
