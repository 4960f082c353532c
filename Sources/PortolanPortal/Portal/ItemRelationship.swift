/// The type of a relationship between two items.
public struct ItemRelationship: RawRepresentable, Hashable, Sendable {
  /// The portal's word for it.
  public let rawValue: String

  /// Creates a relationship from the portal's word for it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The relationship from a web map to its preplanned areas.
  public static let mapToArea = ItemRelationship(rawValue: "Map2Area")
  /// The relationship from a preplanned area to its packages.
  public static let areaToPackage = ItemRelationship(rawValue: "Area2Package")

  /// The end from which a relationship is followed.
  public enum Direction: String, Sendable {
    case forward
    case reverse
  }
}
