internal import Foundation
public import PortolanGeometry
public import PortolanJSON

/// Tiles that can be asked for by address.
public protocol TileSource: Sendable {
  /// The metadata of the source.
  var info: TileSourceInfo { get }

  /// The tile, or `nil` if the source has none there.
  ///
  /// A tile that is there but damaged throws; the other tiles stay readable.
  @concurrent func tile(at id: TileID) async throws(TileError) -> Tile?

  /// Whether the source lists a tile of no bytes there, as some writers mark places with nothing to show.
  @concurrent func hasEmptyTile(at id: TileID) async throws(TileError) -> Bool

  /// How many tiles lie under addresses that no tile can have, so that nobody can ask for them.
  @concurrent func unaddressedTileCount() async throws(TileError) -> Int

  /// Lends the bytes of the tile, and says what they are, without copying them where the source has
  /// them in memory already, as one that is mapped; `nil` if the source has no tile there.
  ///
  /// For work that reads the bytes once, such as decoding or sending them. They are gone when
  /// `body` returns; ``tile(at:)`` gives a copy to keep.
  func withTile<Result>(
    at id: TileID, _ body: (RawSpan, TileFormat) -> Result
  ) async throws(TileError) -> Result?

  /// How many tiles there are, by level, levels without tiles left out.
  @concurrent func tileCounts() async throws(TileError) -> [Int: Int]

  /// The addresses of the tiles there are, in the order that they are kept.
  var tileIDs: TileIDs { get }

  /// The layers in vector tiles with their fields, as `vector_layers` and `tilestats` of the
  /// MBTiles specification say it, among whatever else the source's document has; `nil` if there
  /// is no such document.
  @concurrent func metadata() async throws(TileError) -> JSONValue?
}

extension TileSource {
  /// None: most formats list no such tiles.
  public func hasEmptyTile(at id: TileID) async throws(TileError) -> Bool { false }

  /// None: most formats have no place for such addresses.
  public func unaddressedTileCount() async throws(TileError) -> Int { 0 }

  /// Reads the tile, and lends the copy.
  public func withTile<Result>(
    at id: TileID, _ body: (RawSpan, TileFormat) -> Result
  ) async throws(TileError) -> Result? {
    guard let tile = try await tile(at: id) else { return nil }
    return body(tile.data.bytes, tile.format)
  }
}

/// The metadata of a tile source.
public struct TileSourceInfo: Hashable, Sendable {
  /// The name for people.
  public var name: String
  /// How the plane is cut.
  public var scheme: TileScheme
  /// The levels that may hold tiles.
  public var levels: ClosedRange<Int>?
  /// The extent, in the scheme's spatial reference.
  public var fullExtent: Envelope?
  /// The middle of what is shown, in degrees of longitude and latitude, where that is not the middle of
  /// ``fullExtent``: what lies on both sides of the antimeridian has an extent around the world.
  public var center: Coordinate?
  /// The format declared, as written (`PNG8`, `JPEG`, `MIXED`, `LERC`, `pbf`, ...).
  public var declaredFormat: String
  /// The attribution, if the source has one.
  public var attribution: String?
  /// One or two sentences on what it holds, if the source says so.
  public var summary: String?
  /// Warnings about the tiles, in sentences: that some are missing.
  public var warnings: [String] = []

  /// Whether tiles are vector tiles, as far as the source declares it.
  public var isVector: Bool { ["pbf", "mvt"].contains(declaredFormat.lowercased()) }

  /// Creates the description.
  public init(
    name: String, scheme: TileScheme, levels: ClosedRange<Int>? = nil,
    fullExtent: Envelope? = nil, declaredFormat: String, attribution: String? = nil,
    summary: String? = nil
  ) {
    self.name = name
    self.scheme = scheme
    self.levels = levels
    self.fullExtent = fullExtent
    self.declaredFormat = declaredFormat
    self.attribution = attribution
    self.summary = summary
  }
}
