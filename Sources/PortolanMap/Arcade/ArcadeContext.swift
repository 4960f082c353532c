public import Foundation
public import PortolanFeatures

/// The values that an Arcade expression may use beyond its feature.
public struct ArcadeContext: Sendable {
  /// The time zone in which dates are taken apart and written.
  public var timeZone: TimeZone
  /// The moment that `Now` and `Today` return.
  public var now: @Sendable () -> Date
  /// The table of the feature, for the names of coded values; `nil` where it is not known.
  public var schema: FeatureTableSchema?

  /// Creates a context; pictures and labels use GMT, so that they are the same on every device.
  public init(
    timeZone: TimeZone = .gmt, schema: FeatureTableSchema? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.timeZone = timeZone
    self.schema = schema
    self.now = now
  }
}
