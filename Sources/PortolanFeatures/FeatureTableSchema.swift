public import PortolanGeometry

/// What a table holds: its fields, shapes, kinds of feature and relations.
public struct FeatureTableSchema: Hashable, Sendable {
  /// The name of the table in its store, without qualifier.
  public var name: String
  /// The name for people.
  public var alias: String
  /// The kind of shape, or `nil` for a table without shapes.
  public var geometryType: GeometryType?
  /// Whether shapes carry heights.
  public var hasZ: Bool
  /// Whether shapes carry measures.
  public var hasM: Bool
  /// What the coordinates mean.
  public var spatialReference: SpatialReference?
  /// The extent as the store declares it, which may be wider than the features; `nil` if unset.
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

  /// Creates a schema.
  public init(
    name: String, alias: String? = nil, geometryType: GeometryType? = nil, hasZ: Bool = false,
    hasM: Bool = false, spatialReference: SpatialReference? = nil, extent: Envelope? = nil,
    fields: [Field], objectIDField: String = "OBJECTID", globalIDField: String? = nil,
    displayField: String? = nil, typeIDField: String? = nil, types: [FeatureType] = [],
    templates: [FeatureTemplate] = [], relationships: [RelationshipInfo] = [],
    hasAttachments: Bool = false, editorTracking: EditorTracking? = nil,
    isChangeTracked: Bool = false, serviceLayerID: Int? = nil
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
    self.templates = templates
    self.relationships = relationships
    self.hasAttachments = hasAttachments
    self.editorTracking = editorTracking
    self.isChangeTracked = isChangeTracked
    self.serviceLayerID = serviceLayerID
  }

  /// The field called `name`, without case.
  public func field(named name: String) -> Field? {
    fields.first { $0.name.lowercased() == name.lowercased() }
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

/// A subtype: features of one kind, with domains and templates of their own.
public struct FeatureType: Hashable, Sendable {
  /// The code in ``FeatureTableSchema/typeIDField``.
  public var id: AttributeValue
  /// The name for people.
  public var name: String
  /// The domains that replace those of the fields, by field name.
  public var domains: [String: Domain]
  /// The templates for new features.
  public var templates: [FeatureTemplate]

  /// Creates a type.
  public init(
    id: AttributeValue, name: String, domains: [String: Domain] = [:],
    templates: [FeatureTemplate] = []
  ) {
    self.id = id
    self.name = name
    self.domains = domains
    self.templates = templates
  }
}

/// The attributes that a new feature starts with.
public struct FeatureTemplate: Hashable, Sendable {
  /// The name for people.
  public var name: String
  /// What it is for.
  public var summary: String
  /// The values, by field name.
  public var prototype: [String: AttributeValue]
  /// The tool that draws such a feature, as the service names it.
  public var drawingTool: String?

  /// Creates a template.
  public init(
    name: String, summary: String = "", prototype: [String: AttributeValue] = [:],
    drawingTool: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.prototype = prototype
    self.drawingTool = drawingTool
  }
}

/// A relation from one table to another, as one of the two sees it.
public struct RelationshipInfo: Hashable, Sendable, Identifiable {
  /// How many rows meet how many.
  public enum Cardinality: String, Hashable, Sendable {
    case oneToOne = "esriRelCardinalityOneToOne"
    case oneToMany = "esriRelCardinalityOneToMany"
    case manyToMany = "esriRelCardinalityManyToMany"
  }

  /// Which end the table with this value is.
  public enum Role: String, Hashable, Sendable {
    case origin = "esriRelRoleOrigin"
    case destination = "esriRelRoleDestination"
  }

  /// The id, unique in the store.
  public var id: Int
  /// The name.
  public var name: String
  /// The name of the table at the other end.
  public var relatedTable: String
  /// How many rows meet how many.
  public var cardinality: Cardinality
  /// Which end this table is.
  public var role: Role
  /// The field of this table that holds the key.
  public var keyField: String
  /// The field of the other table that holds the key.
  public var relatedKeyField: String
  /// The table between the two, with its two key fields, for many to many.
  public var joinTable: JoinTable?
  /// Whether the destination's rows live and die with the origin's.
  public var isComposite: Bool

  /// The table between two others.
  public struct JoinTable: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The field that holds this table's key.
    public var keyField: String
    /// The field that holds the other table's key.
    public var relatedKeyField: String

    /// Creates a join table.
    public init(name: String, keyField: String, relatedKeyField: String) {
      self.name = name
      self.keyField = keyField
      self.relatedKeyField = relatedKeyField
    }
  }

  /// Creates a relation.
  public init(
    id: Int, name: String, relatedTable: String, cardinality: Cardinality, role: Role,
    keyField: String, relatedKeyField: String, joinTable: JoinTable? = nil,
    isComposite: Bool = false
  ) {
    self.id = id
    self.name = name
    self.relatedTable = relatedTable
    self.cardinality = cardinality
    self.role = role
    self.keyField = keyField
    self.relatedKeyField = relatedKeyField
    self.joinTable = joinTable
    self.isComposite = isComposite
  }
}

/// The fields in which a table records who made and who changed a row, and when.
public struct EditorTracking: Hashable, Sendable {
  /// Who made it.
  public var creatorField: String?
  /// When it was made.
  public var creationDateField: String?
  /// Who changed it last.
  public var editorField: String?
  /// When it was changed last.
  public var editDateField: String?

  /// Creates the list of fields.
  public init(
    creatorField: String? = nil, creationDateField: String? = nil, editorField: String? = nil,
    editDateField: String? = nil
  ) {
    self.creatorField = creatorField
    self.creationDateField = creationDateField
    self.editorField = editorField
    self.editDateField = editDateField
  }
}
