public import PortolanGeometry

/// A tiling scheme: an origin, a tile size and a list of levels.
///
/// - SeeAlso: Docs/FORMATS.md, 3.2
public struct TileScheme: Hashable, Sendable {
  /// A level of detail.
  public struct Level: Hashable, Sendable {
    /// The number, which need not start at 0 nor be without gaps.
    public var level: Int
    /// The resolution: the units of the spatial reference that a pixel covers.
    public var resolution: Double
    /// The scale denominator at the scheme's dots per inch.
    public var scale: Double
    /// The map units of a pixel from top to bottom, where it is no square.
    public var verticalResolution: Double?

    /// Creates a level.
    public init(
      level: Int, resolution: Double, scale: Double, verticalResolution: Double? = nil
    ) {
      self.level = level
      self.resolution = resolution
      self.scale = scale
      self.verticalResolution = verticalResolution
    }
  }

  /// The top left corner of tile 0/0 of every level, in units of ``spatialReference``.
  public var origin: Coordinate
  /// Columns of pixels in a tile.
  public var tileWidth: Int
  /// Rows of pixels in a tile.
  public var tileHeight: Int
  /// The dots per inch that the scales are meant for.
  public var dpi: Double
  /// The spatial reference of the coordinates.
  public var spatialReference: SpatialReference
  /// The levels, coarsest first.
  public var levels: [Level]

  /// Creates a scheme.
  public init(
    origin: Coordinate, tileWidth: Int = 256, tileHeight: Int = 256, dpi: Double = 96,
    spatialReference: SpatialReference, levels: [Level]
  ) {
    self.origin = origin
    self.tileWidth = tileWidth
    self.tileHeight = tileHeight
    self.dpi = dpi
    self.spatialReference = spatialReference
    self.levels = levels
  }

  /// The level of that number, if the scheme has it.
  public func level(_ number: Int) -> Level? { levels.first { $0.level == number } }

  /// The extent of a tile, or `nil` if the scheme has no such level.
  public func envelope(of tile: TileID) -> Envelope? {
    guard let level = level(tile.level) else { return nil }
    let (width, height) = tileSize(of: level)
    let left = origin.x + Double(tile.column) * width
    let top = origin.y - Double(tile.row) * height
    return Envelope(xMin: left, yMin: top - height, xMax: left + width, yMax: top)
  }
}
