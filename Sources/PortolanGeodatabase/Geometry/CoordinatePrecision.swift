/// How the whole numbers in geometry blobs become coordinates: `number / scale + origin`.
///
/// Kept in full double precision, since scales need not be round. Origins are in the units of
/// the spatial reference, scales in steps a unit.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7
public struct CoordinatePrecision: Hashable, Sendable {
  /// The least easting or longitude.
  public var xOrigin: Double
  /// The least northing or latitude.
  public var yOrigin: Double
  /// The steps a unit, east and north.
  public var xyScale: Double
  /// The least height.
  public var zOrigin: Double
  /// The steps a unit of height.
  public var zScale: Double
  /// The least measure.
  public var mOrigin: Double
  /// The steps a unit of measure.
  public var mScale: Double

  /// Creates a precision; heights and measures start with Esri's defaults.
  public init(
    xOrigin: Double, yOrigin: Double, xyScale: Double, zOrigin: Double = -100_000,
    zScale: Double = 10_000, mOrigin: Double = -100_000, mScale: Double = 10_000
  ) {
    self.xOrigin = xOrigin
    self.yOrigin = yOrigin
    self.xyScale = xyScale
    self.zOrigin = zOrigin
    self.zScale = zScale
    self.mOrigin = mOrigin
    self.mScale = mScale
  }

  /// Degrees, from (-400, -400) in steps of a billionth.
  public static let degrees = CoordinatePrecision(xOrigin: -400, yOrigin: -400, xyScale: 1e9)

  /// Metres of Web Mercator, in steps of a tenth of a millimetre.
  public static let webMercator = CoordinatePrecision(
    xOrigin: -20_037_700, yOrigin: -30_241_100, xyScale: 10_000)

  /// Metres of a UTM zone, in steps of a tenth of a millimetre.
  public static let transverseMercator = CoordinatePrecision(
    xOrigin: -5_120_900, yOrigin: -9_998_100, xyScale: 10_000)

  /// The default of Esri's software for a spatial reference, where known.
  public static func esriDefault(wkid: Int) -> CoordinatePrecision? {
    switch wkid {
    case 4001...4999: .degrees
    case 3857, 102_100, 102_113, 3785, 900_913: .webMercator
    case 26901...26923, 32601...32660, 32701...32760: .transverseMercator
    default: nil
    }
  }

  /// Whether all numbers are finite and all scales positive.
  public var isValid: Bool {
    [xOrigin, yOrigin, zOrigin, mOrigin].allSatisfy(\.isFinite)
      && [xyScale, zScale, mScale].allSatisfy { $0.isFinite && $0 > 0 }
  }
}

extension CoordinatePrecision {
  /// The greatest number that Esri's software writes.
  static let greatestNumber: Int64 = (1 << 53) - 2

  /// The number that stands for a missing height or measure, which no real one can have.
  static let missingNumber: Int64 = -1

  @inline(__always)
  func x(_ number: Int64) -> Double { Double(number) / xyScale + xOrigin }

  @inline(__always)
  func y(_ number: Int64) -> Double { Double(number) / xyScale + yOrigin }

  /// The height of a number; `NaN` where it is missing.
  @inline(__always)
  func z(_ number: Int64) -> Double {
    number == Self.missingNumber ? .nan : Double(number) / zScale + zOrigin
  }

  /// The measure of a number; `NaN` where it is missing.
  @inline(__always)
  func m(_ number: Int64) -> Double {
    number == Self.missingNumber ? .nan : Double(number) / mScale + mOrigin
  }

  /// The number of a coordinate, so that reading it gives the same coordinate wherever one does.
  static func number(
    of value: Double, origin: Double, scale: Double
  ) throws(GeometryBlobError) -> Int64 {
    // Adding a half and cutting is what Esri's writers do: beyond 2^52, where a double has no
    // halves, it differs from rounding, and two numbers may mean the same coordinate.
    let exact = ((value - origin) * scale + 0.5).rounded(.down)
    guard exact >= 0, exact <= Double(greatestNumber) else { throw .outsideDomain(value: value) }
    let number = Int64(exact)
    // Near the end of the range a step is as small as the rounding of the product above.
    for candidate in [number, number + 1, number - 1]
    where Double(candidate) / scale + origin == value && candidate >= 0 {
      return min(candidate, greatestNumber)
    }
    return number
  }
}
