/// A feature, by its id or as one that does not have one yet.
public enum FeatureReference: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The object id.
  case objectID(Int64)
  /// The feature that an earlier edit of the same group adds, counted from 0.
  case added(by: Int)

  public init(integerLiteral value: Int64) { self = .objectID(value) }
}
