public import PortolanGeometry

/// A feature that is to be added.
public struct NewFeature: Hashable, Sendable {
  /// The values, by field name; fields that are left out take their default value.
  ///
  /// The object id, the global id and the fields of editor tracking are the store's to fill.
  public var attributes: [String: AttributeValue]
  /// The shape in the spatial reference of the table, if any.
  public var geometry: Geometry?
  /// The feature of another table that this one belongs to, whose key it takes over.
  public var parent: Parent?

  /// A feature of another table, and which relation leads to it.
  public struct Parent: Hashable, Sendable {
    /// The feature.
    public var feature: FeatureReference
    /// Its table.
    public var table: String
    /// The relation, as ``RelationshipInfo/id``; `nil` where there is only one.
    public var relationshipID: Int?

    /// Creates a parent.
    public init(_ feature: FeatureReference, table: String, relationshipID: Int? = nil) {
      self.feature = feature
      self.table = table
      self.relationshipID = relationshipID
    }
  }

  /// Creates a feature.
  public init(
    attributes: [String: AttributeValue] = [:], geometry: Geometry? = nil, parent: Parent? = nil
  ) {
    self.attributes = attributes
    self.geometry = geometry
    self.parent = parent
  }
}
