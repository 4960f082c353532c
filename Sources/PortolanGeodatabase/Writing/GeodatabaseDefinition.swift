public import PortolanFeatures
public import PortolanJSON

/// The definition of a new geodatabase, without its rows.
public struct GeodatabaseDefinition: Hashable, Sendable {
  /// The name of the service that the tables belong to.
  public var name: String

  /// The summary of the tables, for people.
  public var summary: String

  /// The tables; those for attachments and for relationships of many to many are added.
  public var tables: [Table]

  /// The capabilities, as services give them: `Query`, `Create,Update`, ...
  public var capabilities: String

  /// The registration at the service, if the file is a replica.
  public var syncReplica: SyncReplica?

  /// Creates a definition.
  public init(
    name: String, summary: String = "", capabilities: String = "Query", tables: [Table],
    syncReplica: SyncReplica? = nil
  ) {
    self.name = name
    self.summary = summary
    self.capabilities = capabilities
    self.tables = tables
    self.syncReplica = syncReplica
  }

  /// A table that is to be made.
  public struct Table: Hashable, Sendable {
    /// Its fields, shapes and relations.
    ///
    /// The extent is computed from the features where none is given.
    public var schema: FeatureTableSchema

    /// How features are drawn, as in a layer resource: a renderer and labels.
    public var drawingInfo: JSONValue?

    /// The same with CIM symbols.
    public var advancedDrawingInfo: JSONValue?

    /// The attribution, as the service said.
    public var copyrightText: String?

    /// The grid that coordinates are snapped to; `nil` for what Esri's software uses for the
    /// spatial reference.
    public var precision: CoordinatePrecision?

    /// The column of the shapes.
    public var shapeField: String

    /// Creates a table.
    public init(
      _ schema: FeatureTableSchema, drawingInfo: JSONValue? = nil,
      advancedDrawingInfo: JSONValue? = nil, copyrightText: String? = nil,
      precision: CoordinatePrecision? = nil, shapeField: String = "Shape"
    ) {
      self.schema = schema
      self.drawingInfo = drawingInfo
      self.advancedDrawingInfo = advancedDrawingInfo
      self.copyrightText = copyrightText
      self.precision = precision
      self.shapeField = shapeField
    }
  }
}
