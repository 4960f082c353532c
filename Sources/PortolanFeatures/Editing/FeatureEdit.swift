public import PortolanGeometry

/// A change to a table, carried out with others as one by ``EditableFeatureStore/apply(_:)``.
///
/// Attributes are named without case. What a change does not name stays as it is.
public enum FeatureEdit: Hashable, Sendable {
  /// Adds a feature; see ``NewFeature``.
  case add(NewFeature, table: String)
  /// Changes the named fields, and the shape if `geometry` says so.
  case update(
    FeatureReference, table: String, attributes: [String: AttributeValue],
    geometry: GeometryChange = .keep)
  /// Removes a feature with its attachments.
  ///
  /// Rows of other tables that relate to it go with it where the relation is composite, and lose
  /// their key where it is not.
  case delete(FeatureReference, table: String)
  /// Attaches a file to a feature.
  case addAttachment(NewAttachment, to: FeatureReference, table: String)
  /// Puts another file in place of an attachment.
  case updateAttachment(Attachment.ID, NewAttachment, table: String)
  /// Removes an attachment.
  case deleteAttachment(Attachment.ID, table: String)

  /// The name of the table of features, as it was given.
  public var table: String {
    switch self {
    case .add(_, let table), .update(_, let table, _, _), .delete(_, let table),
      .addAttachment(_, _, let table), .updateAttachment(_, _, let table),
      .deleteAttachment(_, let table):
      table
    }
  }
}

/// What becomes of the shape of a feature that is changed.
public enum GeometryChange: Hashable, Sendable {
  /// It stays as it is.
  case keep
  /// The feature has no shape any more.
  case remove
  /// The feature gets another shape, in the spatial reference of the table.
  case set(Geometry)
}

/// A feature, by its id or as one that does not have one yet.
public enum FeatureReference: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The object id.
  case objectID(Int64)
  /// The feature that an earlier edit of the same group adds, counted from 0.
  case added(by: Int)

  public init(integerLiteral value: Int64) { self = .objectID(value) }
}

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
