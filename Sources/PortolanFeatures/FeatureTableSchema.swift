public import PortolanGeometry

/// The schema of a table: its fields, geometry, feature types and relationships.
public struct FeatureTableSchema: Hashable, Sendable {
  /// The name of the table in its store, without qualifier.
  public var name: String
  /// The name for people.
  public var alias: String
  /// The kind of shape, or `nil` for a table without shapes.
  public var geometryType: GeometryType?
  /// Whether the table is declared to hold shapes of any type, so that they may be of several.
  ///
  /// ``geometryType`` is that of its first shape, `nil` while there is none.
  public var mayMixShapes = false
  /// Whether shapes carry heights.
  public var hasZ: Bool
  /// Whether single shapes may come without heights although ``hasZ``.
  public var mayLackHeights = false
  /// Whether shapes carry measures.
  public var hasM: Bool
  /// The spatial reference of the coordinates.
  public var spatialReference: SpatialReference?
  /// The extent as the store declares it, in units of ``spatialReference``; `nil` if unset.
  ///
  /// It may be wider than the features.
  public var extent: Envelope?
  /// The fields, without the shape.
  public var fields: [Field]
  /// The name of the field with the object id.
  public var objectIDField: String
  /// The name of the field with the global id, if any.
  public var globalIDField: String?
  /// The name of the field that labels a feature, if declared.
  public var displayField: String?
  /// The name of the field that holds the subtype's or type's code, if any.
  public var typeIDField: String?
  /// The subtypes, by code.
  public var types: [FeatureType]
  /// The code that a new feature starts with, if declared; one of ``types``.
  public var defaultTypeID: AttributeValue?
  /// The templates for new features that belong to no subtype.
  public var templates: [FeatureTemplate]
  /// The relations to other tables.
  public var relationships: [RelationshipInfo]
  /// Whether features may have attachments.
  public var hasAttachments: Bool
  /// The fields that record who edited when, if tracked.
  public var editorTracking: EditorTracking?
  /// Whether the table keeps the history of its rows for synchronization.
  public var isChangeTracked: Bool
  /// The id by which packages refer to the table, if it has one (Docs/FORMATS.md, 1.3).
  public var serviceLayerID: Int?
  /// Whether nothing says in which time zone its dates were taken down, so that they are read as clocks
  /// of GMT show them, wherever people are (Docs/REST.md, 3).
  ///
  /// Those of ``editorTracking`` are moments all the same.
  public var hasDatesInUnknownTimeZone: Bool

  /// Creates a schema.
  public init(
    name: String, alias: String? = nil, geometryType: GeometryType? = nil, hasZ: Bool = false,
    hasM: Bool = false, spatialReference: SpatialReference? = nil, extent: Envelope? = nil,
    fields: [Field], objectIDField: String = "OBJECTID", globalIDField: String? = nil,
    displayField: String? = nil, typeIDField: String? = nil, types: [FeatureType] = [],
    defaultTypeID: AttributeValue? = nil, templates: [FeatureTemplate] = [],
    relationships: [RelationshipInfo] = [],
    hasAttachments: Bool = false, editorTracking: EditorTracking? = nil,
    isChangeTracked: Bool = false, serviceLayerID: Int? = nil,
    hasDatesInUnknownTimeZone: Bool = false
  ) {
    self.name = name
    self.alias = alias ?? name
    self.geometryType = geometryType
    self.hasZ = hasZ
    self.hasM = hasM
    self.spatialReference = spatialReference
    self.extent = extent
    self.fields = fields
    self.objectIDField = objectIDField
    self.globalIDField = globalIDField
    self.displayField = displayField
    self.typeIDField = typeIDField
    self.types = types
    self.defaultTypeID = defaultTypeID
    self.templates = templates
    self.relationships = relationships
    self.hasAttachments = hasAttachments
    self.editorTracking = editorTracking
    self.isChangeTracked = isChangeTracked
    self.serviceLayerID = serviceLayerID
    self.hasDatesInUnknownTimeZone = hasDatesInUnknownTimeZone
  }

  /// The field called `name`; case counts only between fields that differ in nothing else.
  public func field(named name: String) -> Field? {
    fields.first { $0.name == name }
      ?? fields.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Whether the dates of a field are read as clocks of GMT show them, in whatever time zone people are.
  public func isTimeZoneUnknown(of field: String) -> Bool {
    let tracked = [editorTracking?.creationDateField, editorTracking?.editDateField]
    return hasDatesInUnknownTimeZone
      && !tracked.contains { $0?.lowercased() == field.lowercased() }
  }

  /// The values allowed in a field of a feature: its subtype's, else the field's own.
  public func domain(of field: String, in attributes: Attributes) -> Domain? {
    if let typeIDField, let code = attributes[typeIDField],
      let type = types.first(where: { $0.id.isEqual(to: code) })
    {
      let override = type.domains.first { $0.key.lowercased() == field.lowercased() }
      if let override { return override.value }
    }
    return self.field(named: field)?.domain
  }
}
