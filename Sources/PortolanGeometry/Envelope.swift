/// A box with sides along the axes; its edges belong to it.
public struct Envelope: Hashable, Sendable, Codable {
  /// The western edge.
  public var xMin: Double
  /// The southern edge.
  public var yMin: Double
  /// The eastern edge.
  public var xMax: Double
  /// The northern edge.
  public var yMax: Double

  /// Creates a box.
  public init(xMin: Double, yMin: Double, xMax: Double, yMax: Double) {
    self.xMin = xMin
    self.yMin = yMin
    self.xMax = xMax
    self.yMax = yMax
  }

  /// The box that holds nothing and grows from there.
  public static let empty = Envelope(
    xMin: .infinity, yMin: .infinity, xMax: -.infinity, yMax: -.infinity)

  /// Whether the box holds nothing.
  public var isEmpty: Bool { !(xMin <= xMax && yMin <= yMax) }

  /// The length from west to east.
  public var width: Double { isEmpty ? 0 : xMax - xMin }

  /// The length from south to north.
  public var height: Double { isEmpty ? 0 : yMax - yMin }

  /// The middle.
  public var center: Coordinate { Coordinate(x: (xMin + xMax) / 2, y: (yMin + yMax) / 2) }

  /// Grows the box so that it holds `coordinate`.
  @inlinable
  public mutating func include(_ coordinate: Coordinate) {
    xMin = min(xMin, coordinate.x)
    yMin = min(yMin, coordinate.y)
    xMax = max(xMax, coordinate.x)
    yMax = max(yMax, coordinate.y)
  }

  /// The smallest box that holds both.
  public func union(_ other: Envelope) -> Envelope {
    Envelope(
      xMin: min(xMin, other.xMin), yMin: min(yMin, other.yMin),
      xMax: max(xMax, other.xMax), yMax: max(yMax, other.yMax))
  }

  /// The intersection of both, or `nil`.
  public func intersection(_ other: Envelope) -> Envelope? {
    let common = Envelope(
      xMin: max(xMin, other.xMin), yMin: max(yMin, other.yMin),
      xMax: min(xMax, other.xMax), yMax: min(yMax, other.yMax))
    return common.isEmpty ? nil : common
  }

  /// Whether the boxes share at least a point.
  public func intersects(_ other: Envelope) -> Bool {
    xMin <= other.xMax && other.xMin <= xMax && yMin <= other.yMax && other.yMin <= yMax
  }

  /// Whether the box holds `coordinate`.
  public func contains(_ coordinate: Coordinate) -> Bool {
    xMin <= coordinate.x && coordinate.x <= xMax && yMin <= coordinate.y && coordinate.y <= yMax
  }

  /// Whether the box holds all of `other`.
  public func contains(_ other: Envelope) -> Bool {
    xMin <= other.xMin && other.xMax <= xMax && yMin <= other.yMin && other.yMax <= yMax
  }

  /// The box moved outwards by `margin` on each side, in units of the coordinates.
  public func expanded(by margin: Double) -> Envelope {
    Envelope(
      xMin: xMin - margin, yMin: yMin - margin, xMax: xMax + margin, yMax: yMax + margin)
  }

  /// The four sides as a closed ring, counter-clockwise from the south-west corner.
  public var polygon: Polygon {
    Polygon(rings: [
      Path([
        Coordinate(x: xMin, y: yMin), Coordinate(x: xMax, y: yMin),
        Coordinate(x: xMax, y: yMax), Coordinate(x: xMin, y: yMax), Coordinate(x: xMin, y: yMin),
      ])
    ])
  }
}
