public import PortolanGeometry

/// A row of a feature table.
public struct Feature: Hashable, Sendable, Codable, Identifiable {
  /// The object id, unique in its table.
  public var objectID: Int64

  /// The values.
  public var attributes: Attributes

  /// The shape in the table's spatial reference; `nil` if there is none or it was not requested.
  public var geometry: Geometry?

  public var id: Int64 { objectID }

  /// Creates a feature.
  public init(objectID: Int64, attributes: Attributes, geometry: Geometry? = nil) {
    self.objectID = objectID
    self.attributes = attributes
    self.geometry = geometry
  }
}
