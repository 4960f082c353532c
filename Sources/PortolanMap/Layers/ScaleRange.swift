/// The scales at which something is shown, as denominators: 24 000 for 1:24 000.
public struct ScaleRange: Hashable, Sendable {
  /// The largest denominator (farthest out) at which it is shown; 0 for no limit.
  public var minScale: Double
  /// The smallest denominator (closest in) at which it is shown; 0 for no limit.
  public var maxScale: Double

  /// Creates a range; without arguments all scales are in it.
  public init(minScale: Double = 0, maxScale: Double = 0) {
    self.minScale = minScale
    self.maxScale = maxScale
  }

  /// Whether the range holds a scale; the ends belong to it.
  public func contains(_ scale: Double) -> Bool {
    (minScale <= 0 || scale <= minScale) && (maxScale <= 0 || scale >= maxScale)
  }
}
