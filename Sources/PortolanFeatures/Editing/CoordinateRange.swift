/// The ordinates that a table can store; `nil` where there is no limit.
public struct CoordinateRange: Hashable, Sendable {
  /// Eastings or longitudes, in the units of the table's spatial reference.
  public var x: ClosedRange<Double>?
  /// Northings or latitudes, in the units of the table's spatial reference.
  public var y: ClosedRange<Double>?
  /// Heights.
  public var z: ClosedRange<Double>?
  /// Measures.
  public var m: ClosedRange<Double>?

  /// Creates a range.
  public init(
    x: ClosedRange<Double>? = nil, y: ClosedRange<Double>? = nil, z: ClosedRange<Double>? = nil,
    m: ClosedRange<Double>? = nil
  ) {
    self.x = x
    self.y = y
    self.z = z
    self.m = m
  }

  /// Anything.
  public static let unlimited = CoordinateRange()
}
