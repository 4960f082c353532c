public import PortolanFeatures
public import PortolanGeometry
public import PortolanPackages
public import PortolanTiles

/// The contents of a file, as `inspect` reports them.
public struct Inspection: Hashable, Sendable {
  /// A map of a package.
  public struct Map: Hashable, Sendable {
    /// The name in the package.
    public var name: String
    /// The title for people.
    public var title: String
    /// The layers and tables, those in groups after their group; basemap layers come last.
    public var layers: [MapLayer]
    /// The number of bookmarks.
    public var bookmarkCount: Int

    /// Creates the facts of a map.
    public init(name: String, title: String, layers: [MapLayer], bookmarkCount: Int) {
      self.name = name
      self.title = title
      self.layers = layers
      self.bookmarkCount = bookmarkCount
    }
  }

  /// A layer or table of a map.
  public struct MapLayer: Hashable, Sendable {
    /// The id in the map.
    public var id: String
    /// The title for people.
    public var title: String
    /// The type as the map names it, such as `ArcGISFeatureLayer`.
    public var type: String
    /// The number of groups that contain the layer.
    public var depth: Int
    /// The table or file that holds the data, as far as it is known.
    public var source: String?
    /// The reason why the layer cannot be used, if so.
    public var problem: String?

    /// Creates the facts of a layer.
    public init(
      id: String, title: String, type: String, depth: Int = 0, source: String? = nil,
      problem: String? = nil
    ) {
      self.id = id
      self.title = title
      self.type = type
      self.depth = depth
      self.source = source
      self.problem = problem
    }
  }

  /// A feature table.
  public struct Table: Hashable, Sendable {
    /// The file inside a package that holds it, if the file inspected is one.
    public var file: String?
    /// The schema of the table.
    public var schema: FeatureTableSchema
    /// The number of rows.
    public var count: Int
    /// The box around the shapes, in the table's spatial reference; `nil` if there are none.
    public var extent: Envelope?

    /// Creates the facts of a table.
    public init(
      file: String? = nil, schema: FeatureTableSchema, count: Int, extent: Envelope? = nil
    ) {
      self.file = file
      self.schema = schema
      self.count = count
      self.extent = extent
    }
  }

  /// A set of tiles.
  public struct TileSet: Hashable, Sendable {
    /// The file inside a package that holds it, if the file inspected is one.
    public var file: String?
    /// The metadata of the source.
    public var info: TileSourceInfo
    /// Whether the tiles are vector tiles.
    public var isVector: Bool
    /// The number of tiles, by level.
    public var counts: [Int: Int]
    /// The layers in vector tiles, as far as the source lists them.
    public var layers: [SourceLayer] = []

    /// Creates the facts of a set of tiles.
    public init(
      file: String? = nil, info: TileSourceInfo, isVector: Bool = false, counts: [Int: Int]
    ) {
      self.file = file
      self.info = info
      self.isVector = isVector
      self.counts = counts
    }
  }

  /// The kind of the file.
  public var kind: FileKind
  /// The kind as people name it.
  public var kindTitle: String { kind.title }
  /// The version of the format, as the file writes it.
  public var version: String?
  /// The title for people.
  public var title: String?
  /// The size in bytes; `nil` for a folder.
  public var size: Int?
  /// The extent, in degrees on WGS 84, as the file declares it.
  public var extent: Envelope?
  /// The maps, in order.
  public var maps: [Map] = []
  /// The feature tables, in the order of their files.
  public var tables: [Table] = []
  /// The sets of tiles.
  public var tileSets: [TileSet] = []
  /// Warnings: an expired date, parts in a closed format.
  public var warnings: [String] = []
  /// The maps, layers and features that should be readable and are not, a sentence each; the tables are
  /// without them.
  public var unreadableParts: [String] = []

  /// Creates the facts of a file with nothing in it yet.
  public init(kind: FileKind) { self.kind = kind }
}
