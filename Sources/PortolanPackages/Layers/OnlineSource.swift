public import PortolanTiles

/// A data source over the network, so that a request may fail and succeed later.
public protocol OnlineSource: Sendable {}

/// Tiles that can be requested before they are drawn, several at a time.
public protocol TileFetching: OnlineSource {
  /// Asks for tiles, and keeps what comes; failures show when a tile is asked for by itself.
  func fetch(_ ids: [TileID]) async
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
