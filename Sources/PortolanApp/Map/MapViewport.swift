/// The size of the window in which maps are shown, in points of 1/96 inch.
public struct MapViewport: Hashable, Sendable, Codable {
  /// The width, in points.
  public let width: Double
  /// The height, in points.
  public let height: Double

  /// The limits of a window's size: the maximum of any real one, and the minimum of one that cannot
  /// be seen.
  private static let sizes = 1.0...100_000.0

  /// Creates a size; what is no size of a window becomes the nearest that is.
  public init(width: Double = 1024, height: Double = 768) {
    self.width = Self.size(width)
    self.height = Self.size(height)
  }

  private static func size(_ value: Double) -> Double {
    value.isNaN ? sizes.lowerBound : min(max(value, sizes.lowerBound), sizes.upperBound)
  }
}
