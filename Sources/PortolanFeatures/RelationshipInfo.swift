/// A relation from one table to another, as one of the two sees it.
public struct RelationshipInfo: Hashable, Sendable, Identifiable {
  /// How many rows meet how many.
  public enum Cardinality: String, Hashable, Sendable {
    case oneToOne = "esriRelCardinalityOneToOne"
    case oneToMany = "esriRelCardinalityOneToMany"
    case manyToMany = "esriRelCardinalityManyToMany"
  }

  /// The role of a table in a relationship.
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
  /// The role of this table.
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
