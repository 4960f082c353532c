/// Coordinates as they are written in texts after they were computed: what a computation leaves behind the last
/// decimal that means something is no news, and makes texts longer.
extension SpatialReference {
  /// The number of decimals of projected coordinates in this reference: seven for degrees, a
  /// centimetre on the ground, and for lengths enough for a tenth of a millimetre: four for metres
  /// and feet, seven for kilometres.
  ///
  /// - SeeAlso: [RFC 7946, 11.2](https://www.rfc-editor.org/rfc/rfc7946#section-11.2), which says six.
  public var writtenDecimals: Int {
    // Of a reference that cannot be looked up more is kept than is needed.
    guard let known = try? properties(), !known.isGeographic else { return 7 }
    var (decimals, unit) = (4, known.metersPerUnit)
    // Some metres and feet of surveys are a little longer than others.
    while unit > 1.01, decimals < Self.mostDecimals { (decimals, unit) = (decimals + 1, unit / 10) }
    while unit < 0.101, decimals > 0 { (decimals, unit) = (decimals - 1, unit * 10) }
    return decimals
  }

  /// More are beyond what numbers hold.
  private static let mostDecimals = 12
}

extension Coordinate {
  /// The position with so many decimals at most.
  public func rounded(toDecimals decimals: Int) -> Coordinate {
    DecimalRounding(decimals)(self)
  }
}

extension Envelope {
  /// The box with so many decimals at most.
  public func rounded(toDecimals decimals: Int) -> Envelope {
    guard !isEmpty else { return self }
    let rounding = DecimalRounding(decimals)
    return Envelope(
      xMin: rounding(xMin), yMin: rounding(yMin), xMax: rounding(xMax), yMax: rounding(yMax))
  }
}

extension Geometry {
  /// The shape with so many decimals at most in its positions; heights and measures stay as they are.
  public func rounded(toDecimals decimals: Int) -> Geometry {
    let rounding = DecimalRounding(decimals)
    switch self {
    case .point(let point):
      return .point(Point(x: rounding(point.x), y: rounding(point.y), z: point.z, m: point.m))
    case .multipoint(let multipoint):
      return .multipoint(Multipoint(points: rounding(multipoint.points)))
    case .polyline(let polyline):
      return .polyline(Polyline(paths: polyline.paths.map { rounding($0) }))
    case .polygon(let polygon):
      return .polygon(Polygon(rings: polygon.rings.map { rounding($0) }))
    case .envelope(let envelope): return .envelope(envelope.rounded(toDecimals: decimals))
    }
  }
}

/// Rounds numbers to those that so few decimals say.
private struct DecimalRounding {
  private let factor: Double
  /// The limit from which on a number has no further decimals that could be cut off.
  private static let limit = 4_503_599_627_370_496.0

  init(_ decimals: Int) {
    factor = (0..<decimals).reduce(1) { product, _ in product * 10 }
  }

  func callAsFunction(_ number: Double) -> Double {
    let scaled = number * factor
    // Adding zero takes the sign of a zero away.
    return scaled.magnitude < Self.limit ? scaled.rounded() / factor + 0 : number
  }

  func callAsFunction(_ coordinate: Coordinate) -> Coordinate {
    Coordinate(x: self(coordinate.x), y: self(coordinate.y))
  }

  func callAsFunction(_ path: Path) -> Path {
    Path(path.coordinates.map { self($0) }, z: path.z, m: path.m)
  }
}
