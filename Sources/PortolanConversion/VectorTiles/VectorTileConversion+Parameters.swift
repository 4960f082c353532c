internal import Foundation
public import PortolanFeatures
public import PortolanGeometry
public import PortolanJSON

extension VectorTileConversion {
  /// A table that becomes a layer of the tiles.
  public struct Layer: Sendable {
    /// The name of the layer.
    public var name: String
    /// What holds the table.
    public var store: any FeatureStore
    /// The table.
    public var schema: FeatureTableSchema
    /// Which rows are wanted.
    public var query: QueryParameters

    /// Creates a layer of all rows of a table, unless the query says otherwise.
    public init(
      _ name: String, store: any FeatureStore, schema: FeatureTableSchema,
      query: QueryParameters = QueryParameters()
    ) {
      self.name = name
      self.store = store
      self.schema = schema
      self.query = query
    }
  }

  /// What a tile may hold.
  public struct Limits: Hashable, Sendable {
    /// The bytes of a tile, compressed.
    public var size = 500_000
    /// The features of a tile.
    public var featureCount = 200_000
    /// How far simplified shapes lie from the real ones, in steps of 4096 along a tile's side.
    public var tolerance = 2.0
    /// The smallest area that is drawn by itself, in squares of such steps.
    public var smallestArea = 16.0
    /// How hard tiles are compressed, from 1 to 9.
    public var compressionLevel = 5

    /// Creates the limits that widgets of the web are comfortable with.
    public init() {}
  }

  /// What is wanted of the tiles.
  public struct Parameters: Sendable {
    /// The levels; a package begins at 0 whatever this says.
    public var levels: ClosedRange<Int>
    /// The extent, in degrees on WGS 84; all that the features cover if `nil`.
    public var extent: Envelope?
    /// What a tile may hold.
    public var limits = Limits()
    /// The style, which packages hold and which is written beside other files; none if `nil`.
    public var style: JSONValue?
    /// The name for people.
    public var name: String
    /// Whether an existing file there may be replaced.
    public var replacesTarget: Bool
    /// How many tasks work on tiles at a time.
    public var concurrency = ProcessInfo.processInfo.activeProcessorCount

    /// Creates parameters.
    public init(
      name: String, levels: ClosedRange<Int>, extent: Envelope? = nil, style: JSONValue? = nil,
      replacesTarget: Bool = false
    ) {
      self.name = name
      self.levels = levels
      self.extent = extent
      self.style = style
      self.replacesTarget = replacesTarget
    }
  }
}
