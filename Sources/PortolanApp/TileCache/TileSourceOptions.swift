internal import PortolanTileCache
internal import PortolanTransport

/// Options of a tile source beyond its URL.
public struct TileSourceOptions: Hashable, Sendable, Codable {
  /// The name in the cache; the name that the source gives itself if `nil`.
  public var name: String?
  /// The layer of a WMTS.
  public var layer: String?
  /// Whether its operator is known to allow regions; `nil` for what the source says itself.
  public var allowsBulk: Bool?
  /// The highest level of a region.
  public var highestBulkLevel: Int?
  /// The highest level of the source.
  public var highestLevel: Int?
  /// The maximum number of requests that begin in a second.
  public var requestsPerSecond: Double?
  /// The maximum number of tiles of a region.
  public var tileLimit: Int?
  /// Additional headers of every request, such as a key; secrets are not kept.
  public var headers: [String: String] = [:]
  /// The user agent; Portolan unless given.
  public var userAgent: String?
  /// The values of `{s}`, used in turn.
  public var subdomains: [String]?
  /// Whether `{r}` is `@2x`.
  public var isHighResolution: Bool?
  /// The credits.
  public var attribution: String?
  /// Whether pictures that are enlarged beyond its highest level are kept.
  public var cachesOverZoom: Bool?
  /// Whether tiles that it has emptied take the place of those of a region that is updated.
  public var allowsEmptyTiles: Bool?
  /// The time for which a tile is fresh; by its server, or as set before, if `nil`.
  public var freshness: Freshness?

  /// The time for which a tile is fresh.
  public enum Freshness: Hashable, Sendable, Codable {
    /// As long as its server says; a week if that says nothing.
    case server
    /// So long, whatever its server says.
    case fixed(seconds: Double)
    /// Tiles are fresh for ever.
    case always
  }

  /// Says nothing.
  public init() {}

  /// Whether it says how tiles are kept, which holds from now on whether one is loaded now or not.
  var saysHowTilesAreKept: Bool {
    cachesOverZoom != nil || allowsEmptyTiles != nil || freshness != nil
  }

  /// The headers of a request with these options.
  var requestHeaders: HTTPHeaders {
    var fields: HTTPHeaders = [:]
    for (name, value) in headers { fields[name] = value }
    if let userAgent { fields["User-Agent"] = userAgent }
    return fields
  }

  func apply(to config: inout MapCacheConfig) {
    if let name { config.cacheName = name }
    if let allowsBulk { config.policy.allowsBulk = allowsBulk }
    if let highestBulkLevel { config.policy.highestBulkLevel = highestBulkLevel }
    if let highestLevel {
      config.maximumZ = min(max(highestLevel, config.minimumZ), MapCacheConfig.greatestZoom)
    }
    if let requestsPerSecond { config.policy.requestsPerSecond = requestsPerSecond }
    if let tileLimit { config.policy.tileLimit = tileLimit }
    for (name, value) in headers { config.headers[name] = value }
    if let userAgent { config.userAgent = userAgent }
    if let subdomains { config.subdomains = subdomains }
    if let isHighResolution { config.isHighResolution = isHighResolution }
    if let attribution { config.attribution = attribution }
    if let cachesOverZoom { config.cachesOverZoom = cachesOverZoom }
    if let allowsEmptyTiles { config.allowsEmptyTiles = allowsEmptyTiles }
    switch freshness {
    case .server?: config.expiry = .standard
    case .fixed(let seconds)?: config.expiry = .fixed(seconds: seconds)
    case .always?: config.expiry = .never
    case nil: break
    }
  }
}
