public import Foundation
public import PortolanGeometry
public import PortolanJSON
public import PortolanTiles
public import PortolanTransport

/// A source of tiles and how it is cached.
///
/// The names and defaults are MapCache's where it has them; Docs/TILE-CACHE.md has the table.
public struct MapCacheConfig: Hashable, Sendable {
  /// The highest level that any source has.
  public static let greatestZoom = 25
  /// What `{s}` stands for where nothing says so.
  private static let defaultSubdomains = ["a", "b", "c"]

  /// The address of the tiles.
  ///
  /// There is no default: public servers forbid what a cache may do.
  public var urlTemplate: TileURLTemplate
  /// Other addresses of the same tiles, as TileJSON may list them: requests are spread over all of them, and
  /// where one server fails the next is asked.
  public var alternatives: [TileURLTemplate]
  /// What `{s}` stands for, in turn.
  public var subdomains: [String]
  /// The lowest level.
  public var minimumZ: Int
  /// The highest level, at most ``greatestZoom``.
  public var maximumZ: Int
  /// Whether tiles beyond ``maximumZ`` are made of those of that level.
  public var overZoomMaximumZ: Bool
  /// Whether pictures that were made so are kept, as far as the app makes them.
  public var cachesOverZoom: Bool
  /// Where it was read from, if it does not come from a template; by it a source is known again
  /// without a network.
  public var address: String?
  /// The TileJSON document at its address; `nil` where it was read from none.
  public var document: TileSourceDocument?
  /// The file of tiles on a web server that is read by range instead of asking for tiles; `nil` where
  /// each tile has an address.
  public var archive: URL?
  /// What the source is called in its cache: tiles are kept under this name, whatever keys are in its
  /// address, so that a new key loses nothing.
  public var cacheName: String
  /// The most bytes of tiles that belong to no region; `nil` for no limit.
  public var capacity: Int?
  /// The pixels along a side of a tile.
  public var tileSize: Int
  /// Whom a tile is asked of.
  public var loadTileMode: LoadTileMode
  /// How long a tile is fresh.
  public var expiry: TileExpiry
  /// How long it is remembered that there is no tile, in seconds, unless the server says that it is for less.
  public var absenceLifetime: Double
  /// Whether a tile that the source has emptied (204, no bytes for a vector tile, no place in an archive)
  /// takes the place of one that a region keeps, when the region is updated.
  ///
  /// Servers whose data is gone for an hour answer so, too.
  public var allowsEmptyTiles: Bool
  /// Fields that every request has, such as a key; those that may be keys go only to the server of
  /// ``address``, or of ``urlTemplate`` where it has none.
  public var headers: HTTPHeaders
  /// Who asks; operators of public servers want to know.
  public var userAgent: String?
  /// Whether `{r}` is `@2x`.
  public var isHighResolution: Bool
  /// What the tiles are, where the source says so; others are refused.
  public var format: TileFormat?
  /// The most bytes of a tile.
  public var tileByteLimit: Int
  /// The extent that it covers, in degrees, where the source says so.
  public var bounds: Envelope?
  /// The attribution.
  public var attribution: String?
  /// One or two sentences on what it shows, if it says so.
  public var summary: String?
  /// The layers in its vector tiles, an object with `vector_layers` and perhaps `tilestats`; `nil` where
  /// the source does not tell.
  public var vectorMetadata: JSONValue?
  /// What the operator allows.
  public var policy: TilePolicy

  /// Creates a configuration.
  ///
  /// - Throws: ``TileCacheError/badTemplate(_:reason:)``.
  public init(
    withUrlTemplate template: String, cacheName: String = "MapCache", minimumZ: Int = 0,
    maximumZ: Int = 19
  ) throws(TileCacheError) {
    urlTemplate = try TileURLTemplate(template)
    alternatives = []
    self.cacheName = cacheName
    self.minimumZ = max(0, minimumZ)
    // As MapCache: nothing, or what cannot be, stands for what the platform can.
    self.maximumZ = maximumZ > 0 ? min(maximumZ, Self.greatestZoom) : Self.greatestZoom
    subdomains =
      urlTemplate.ownSubdomains ?? (urlTemplate.hasSubdomains ? Self.defaultSubdomains : [])
    overZoomMaximumZ = true
    cachesOverZoom = false
    tileSize = 256
    loadTileMode = .cacheThenServer
    expiry = .standard
    absenceLifetime = 86_400
    allowsEmptyTiles = false
    headers = [:]
    isHighResolution = false
    tileByteLimit = 16 << 20
    policy = TilePolicy()
  }

  /// The highest level, as a source has it that has told its levels: that may be 0.
  public var highestLevel: Int {
    get { maximumZ }
    set { maximumZ = min(max(newValue, 0), Self.greatestZoom) }
  }

  /// The levels.
  public var levels: ClosedRange<Int> { minimumZ...max(minimumZ, maximumZ) }

  /// Whether the absence of a tile that a server reports also counts for a tile that a region
  /// keeps.
  func isReplaced(by absence: TileCacheError) -> Bool { allowsEmptyTiles && absence.isEmptiness }

  /// The address of a tile; which of several, and the sub-domain, depend on the tile alone, so that caches
  /// on the way know it again.
  ///
  /// - Throws: ``TileCacheError/badTile(_:)``, ``TileCacheError/badTemplate(_:reason:)``.
  public func url(forTilePath tile: TileID) throws(TileCacheError) -> URL {
    try url(forTilePath: tile, from: templates(for: tile).first ?? urlTemplate)
  }

  /// The address of a tile by one of the source's templates.
  private func url(
    forTilePath tile: TileID, from template: TileURLTemplate
  ) throws(TileCacheError) -> URL {
    _ = try TileCoords(tile)
    var names = subdomains
    if template != urlTemplate {
      // The first address may be without any.
      let isLacking = template.hasSubdomains && subdomains.isEmpty
      names = template.ownSubdomains ?? (isLacking ? Self.defaultSubdomains : subdomains)
    }
    let subdomain = names.isEmpty ? nil : names[(tile.row + tile.column) % names.count]
    return try template.url(for: tile, subdomain: subdomain, isHighResolution: isHighResolution)
  }

  /// The templates by which a tile can be asked for, the one to begin with first.
  func templates(for tile: TileID) -> [TileURLTemplate] {
    let templates = [urlTemplate] + alternatives
    // What is no tile is refused when its address is made.
    let first = max(0, (tile.row &+ tile.column) % templates.count)
    return Array(templates[first...] + templates[..<first])
  }

  /// The key that MapCache would keep a tile under.
  public func cacheKey(forPath tile: TileID) -> String {
    "\(urlTemplate.text)-\(tile.column)-\(tile.row)-\(tile.level)"
  }

  /// A sub-domain by chance; `nil` if there is none.
  ///
  /// - Parameter chance: A random number from 0 to 1; what is beyond counts as the nearer end, and what is no
  ///   number as 0.
  /// - Returns: One of ``subdomains``.
  public func randomSubdomain(chance: Double) -> String? {
    guard !subdomains.isEmpty else { return nil }
    let share = chance.isNaN ? 0 : min(max(chance, 0), 1)
    return subdomains[min(Int(share * Double(subdomains.count)), subdomains.count - 1)]
  }

  /// An address that whoever added the source has named, to whose server keys may go: a document may name
  /// tiles anywhere.
  private func namedAddress(for tile: TileID) throws(TileCacheError) -> URL? {
    guard let address else { return try url(forTilePath: tile, from: urlTemplate) }
    return URL(string: address)
  }

  /// The request for a tile by one of the source's templates.
  func request(
    for tile: TileID, from template: TileURLTemplate
  ) throws(TileCacheError) -> HTTPRequest {
    let url = try url(forTilePath: tile, from: template)
    var request = HTTPRequest(url, headers: headers)
    // Most sources have no fields: no second address is made for each of their tiles.
    if !headers.fields.isEmpty, try namedAddress(for: tile)?.isSameParty(as: url) != true {
      request.headers = headers.withoutKeys
    }
    if let userAgent { request.headers["User-Agent"] = userAgent }
    request.timeouts = .tile
    return request
  }
}

extension HTTPTimeouts {
  /// For tiles: 15 seconds to connect, 30 without a byte, a minute and a half with all attempts.
  static let tile = HTTPTimeouts(
    connect: .seconds(15), firstByte: .seconds(30), stall: .seconds(30), total: .seconds(90))
}
