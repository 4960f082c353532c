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

/// How an edit changes the shape of a feature.
public enum GeometryChange: Hashable, Sendable {
  /// It stays as it is.
  case keep
  /// The feature has no shape any more.
  case remove
  /// The feature gets another shape, in the spatial reference of the table.
  case set(Geometry)
}
