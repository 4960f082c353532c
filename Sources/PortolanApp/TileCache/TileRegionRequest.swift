public import PortolanGeometry
public import PortolanTiles

/// A request to download a region of tiles.
public struct TileRegionRequest: Hashable, Sendable, Codable {
  /// The name.
  public var name: String
  /// The name or the address of its source.
  public var source: String
  /// The extent.
  public var extent: TileRegionExtent
  /// The levels; all that may be downloaded if `nil`.
  public var levels: ClosedRange<Int>?
  /// Whether blank tiles, such as open sea, are left out.
  public var skipsBlank = false
  /// The blank tile of the source; that of the Arctic Ocean if `nil`.
  public var blankTile: TileID?

  /// Asks for a region with all its tiles.
  public init(
    name: String, source: String, extent: TileRegionExtent, levels: ClosedRange<Int>? = nil
  ) {
    self.name = name
    self.source = source
    self.extent = extent
    self.levels = levels
  }
}

/// The size of a region, before anything of it is downloaded.
public struct TileRegionPlan: Hashable, Sendable, Codable {
  /// The tiles of one level.
  public struct Level: Hashable, Sendable, Codable {
    /// The level.
    public var level: Int
    /// The number of tiles.
    public var count: Int
  }

  /// The size of the region, estimated from some of its tiles.
  public struct Size: Hashable, Sendable, Codable {
    /// The number of tiles that were examined.
    public var sampleCount: Int
    /// The bytes, from few to many.
    public var bytes: ClosedRange<Int>
    /// The bytes that are most likely.
    public var likelyBytes: Int
  }

  /// The request.
  public var request: TileRegionRequest
  /// The name of the source.
  public var source: String
  /// The tiles of each level.
  public var levels: [Level]
  /// The number of tiles; the largest whole number if there are more.
  public var count: Int
  /// The box with latitude and longitude exchanged, if that is probably meant: it lies in what the source
  /// covers, and the one that was requested does not.
  public var swappedBox: Envelope?
  /// Whether the extent lies on both sides of the antimeridian.
  public var crossesAntimeridian: Bool
  /// The estimated size; `nil` where that was not examined, or no tile could be loaded.
  public var size: Size?
  /// The reason why no tile could be loaded of those that were to be examined, as a sentence; `nil`
  /// if any could.
  public var sizeProblem: String?
  /// The bytes that are free; `nil` if that is unknown.
  public var freeBytes: Int?
  /// The reason why it cannot be downloaded; `nil` if it can.
  public var obstacle: Problem?

  /// Whether it fits on the disk; `nil` if that is unknown.
  public var fits: Bool? {
    guard let size, let freeBytes else { return nil }
    return size.likelyBytes < freeBytes
  }

  /// Whether the source has none of the tiles that were looked at.
  public var hasOnlyAbsentSamples: Bool { size?.bytes.upperBound == 0 }

  /// Whether it can be downloaded.
  public var canDownload: Bool { obstacle == nil && fits != false }
}
