public import Foundation
public import PortolanGeometry
public import PortolanJSON
public import PortolanTiles

/// A source of data that asks a network, so that an answer may fail and be there the next time.
public protocol OnlineSource: Sendable {}

/// Tiles that can be requested before they are drawn, several at a time.
public protocol TileFetching: OnlineSource {
  /// Asks for tiles, and keeps what comes; failures show when a tile is asked for by itself.
  func fetch(_ ids: [TileID]) async
}

/// A picture that a service is to draw.
public struct MapImageRequest: Hashable, Sendable {
  /// The ground, in ``spatialReference``.
  public var extent: Envelope
  /// What the coordinates of ``extent`` mean, and that of the picture.
  public var spatialReference: SpatialReference
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// The pixels in an inch, for the size of symbols and texts.
  public var dotsPerInch: Int

  /// Creates a request.
  public init(
    extent: Envelope, spatialReference: SpatialReference, width: Int, height: Int,
    dotsPerInch: Int
  ) {
    self.extent = extent
    self.spatialReference = spatialReference
    self.width = width
    self.height = height
    self.dotsPerInch = dotsPerInch
  }
}

/// A service that draws pictures itself, as map services and image services do by `export`.
public protocol MapImageSource: OnlineSource {
  /// The most pixels along a side of one picture.
  var maximumSide: (width: Int, height: Int) { get }
  /// The attribution, if the service has one.
  var attribution: String? { get }
  /// What the map asks for that the service does not draw, in clauses for people.
  var problems: [String] { get }

  /// The encoded picture.
  ///
  /// - Throws: `TileError/unreadable(file:reason:)` if the service refuses or does not answer.
  @concurrent func image(_ request: MapImageRequest) async throws(TileError) -> Data
}

/// The icons, glyphs and files of sources that a style of vector tiles refers to.
public protocol StyleResources: Sendable {
  /// The icons of each sprite that the style has.
  @concurrent func sprites(isDouble: Bool) async throws(TileError) -> [StyleSprite]

  /// The glyphs of 256 characters of a font, a PBF; `nil` if there are none.
  @concurrent func glyphs(
    fontStack: String, range: ClosedRange<Int>
  ) async throws(TileError) -> Data?

  /// What a source of the style names by its address: a document of GeoJSON, or a picture.
  ///
  /// - Throws: `TileError/unreadable(file:reason:)` if it cannot be had.
  @concurrent func file(at address: String) async throws(TileError) -> Data
}

extension StyleResources {
  /// Styles that stand for themselves have nothing beside them.
  public func file(at address: String) throws(TileError) -> Data {
    throw .unreadable(file: address, reason: "nothing is kept beside the style")
  }
}

/// Vector tiles with a style that is not part of their file or service.
public struct StyledVectorTiles: Sendable {
  /// The tiles by the name of their source in the style; a source that is missing has none.
  public var sources: [String: any TileSource]
  /// The style, of version 8 of the Mapbox style specification.
  public var style: JSONValue
  /// Its icons and glyphs.
  public var resources: any StyleResources
  /// What of the style cannot be followed, in clauses for people.
  public var problems: [String]

  /// Creates the tiles of a layer.
  public init(
    sources: [String: any TileSource], style: JSONValue, resources: any StyleResources,
    problems: [String] = []
  ) {
    self.sources = sources
    self.style = style
    self.resources = resources
    self.problems = problems
  }

  /// The attribution.
  public var attributions: [String] {
    sources.keys.sorted().compactMap { sources[$0]?.info.attribution }
  }
}

extension LayerContent {
  /// Whether drawing the layer asks a network.
  public var isOnline: Bool {
    switch self {
    case .features(let tables): tables.contains { $0.store is any OnlineSource }
    case .tiles(let source): source is any OnlineSource
    case .styledTiles(let tiles): tiles.sources.values.contains { $0 is any OnlineSource }
    case .pictures, .service: true
    case .vectorTiles, .group, .unavailable, .notSupported: false
    }
  }
}
