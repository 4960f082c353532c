public import PortolanGeometry

/// Which features of a table a query returns, and which parts of them.
public struct QueryParameters: Hashable, Sendable {
  /// A direction along a field.
  ///
  /// Ascending, features without a value come first; descending, last. Values are ordered as
  /// ``AttributeValue/sortOrder(_:)`` says.
  public struct OrderBy: Hashable, Sendable {
    /// The field.
    public var field: String
    /// Whether the greatest comes first.
    public var isDescending: Bool

    /// Creates an order.
    public init(_ field: String, isDescending: Bool = false) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// A condition on the fields, in the SQL of the services; see ``WhereClause``.
  public var whereClause: String?
  /// A box, in the table's spatial reference, that the shapes' own boxes must meet.
  public var extent: Envelope?
  /// The object ids allowed.
  public var objectIDs: [Int64]?
  /// The order; object ids follow where it leaves a choice.
  public var orderBy: [OrderBy]
  /// How many features to leave out first.
  public var offset: Int
  /// The most features to return.
  public var limit: Int?
  /// Whether shapes are read.
  public var returnsGeometry: Bool
  /// The fields to read; all if `nil`.
  public var outFields: [String]?
  /// How far simplified shapes may lie from the real ones, in units of the table's reference.
  ///
  /// For drawing: stores that send shapes over a network simplify them there, others return them
  /// as they are.
  public var maxAllowableOffset: Double?

  /// Creates a query; without arguments it asks for everything.
  public init(
    whereClause: String? = nil, extent: Envelope? = nil, objectIDs: [Int64]? = nil,
    orderBy: [OrderBy] = [], offset: Int = 0, limit: Int? = nil, returnsGeometry: Bool = true,
    outFields: [String]? = nil
  ) {
    self.whereClause = whereClause
    self.extent = extent
    self.objectIDs = objectIDs
    self.orderBy = orderBy
    self.offset = offset
    self.limit = limit
    self.returnsGeometry = returnsGeometry
    self.outFields = outFields
  }
}
