internal import Foundation
internal import PortolanTiles

/// Tiles that were received and wait to be written.
///
/// What arrives while others are written is written together: a transaction of several tiles costs little
/// more than that of one, and after each transaction readers have to read again what they had in memory.
struct TileArrivals: Sendable {
  /// A tile, or that there is none, on its way into the file.
  struct Arrival: Sendable {
    var stored: StoredTile
    var tile: TileID
    var config: MapCacheConfig
    /// The number of the source a moment ago.
    var source: CachedSourceID
    /// The definition of the source as it was written last, if that is known.
    var record: Data?
    /// The most bytes that tiles may have which no region keeps.
    var capacity: Int?
    /// Called once it is written, or with why it is not.
    var completion: @Sendable (TileCacheError?) -> Void
    /// How many came before it.
    fileprivate(set) var number = 0

    fileprivate var place: Place { Place(source: config.cacheName, tile: tile) }
    fileprivate var size: Int { stored.data?.count ?? 0 }
  }

  fileprivate struct Place: Hashable {
    let source: String
    let tile: TileID
  }

  private struct Batch {
    var arrivals: [Arrival] = []
    var observers: [@Sendable () -> Void] = []
    /// Whether the callers that added some of them wait until these are written.
    var isAwaited = false
  }

  /// So many tiles are written although nobody waits for them.
  static let fullCount = 32

  private var waiting = Batch()
  private var underWay: Batch?
  /// The last to arrive of each tile.
  private var tiles: [Place: Arrival] = [:]
  private var count = 0
  /// The bytes of the tiles that are not written.
  private(set) var byteCount = 0
  /// Whether those that nobody waits for are written in a moment.
  private var isGathering = false

  /// Whether what waits is to be written at once.
  var isDue: Bool {
    waiting.isAwaited || !waiting.observers.isEmpty || waiting.arrivals.count >= Self.fullCount
  }

  /// The tile that is on its way, if one is.
  func find(_ tile: TileID, of config: MapCacheConfig) -> Arrival? {
    guard !tiles.isEmpty, let arrival = tiles[Place(source: config.cacheName, tile: tile)],
      arrival.config.isSame(as: config) || !config.isElsewhere(than: arrival.config)
    else { return nil }
    return arrival
  }

  /// Takes in a tile.
  ///
  /// - Parameters:
  ///   - arrival: The tile.
  ///   - isAwaited: Whether its caller waits until it is written.
  mutating func add(_ arrival: Arrival, isAwaited: Bool = true) {
    var arrival = arrival
    arrival.number = count
    count += 1
    byteCount += arrival.size
    waiting.arrivals.append(arrival)
    waiting.isAwaited = waiting.isAwaited || isAwaited
    tiles[arrival.place] = arrival
  }

  /// Has `observer` called when everything that is here is written, or cannot be.
  ///
  /// - Returns: Whether there is anything.
  mutating func observe(_ observer: @escaping @Sendable () -> Void) -> Bool {
    guard !waiting.arrivals.isEmpty else {
      underWay?.observers.append(observer)
      return underWay != nil
    }
    waiting.observers.append(observer)
    return true
  }

  /// Lets tiles that nobody waits for gather for a moment.
  ///
  /// - Returns: Whether the caller is to see to it that they are written then.
  mutating func beginGathering() -> Bool {
    guard !isGathering, underWay == nil, !waiting.arrivals.isEmpty else { return false }
    isGathering = true
    return true
  }

  /// Ends that moment.
  ///
  /// - Returns: Whether there is anything to be written.
  mutating func endGathering() -> Bool {
    isGathering = false
    return !waiting.arrivals.isEmpty
  }

  /// Makes the caller the writer, unless there is one already.
  mutating func begin() -> Bool {
    guard underWay == nil else { return false }
    underWay = Batch()
    return true
  }

  /// What is to be written next.
  mutating func next() -> [Arrival] {
    waiting.observers += underWay?.observers ?? []
    underWay = waiting
    waiting = Batch()
    return underWay?.arrivals ?? []
  }

  /// Notes that what was to be written is, or cannot be.
  ///
  /// - Returns: Whom to tell, and whether what has arrived meanwhile is to be written at once.
  mutating func finish() -> (observers: [@Sendable () -> Void], hasMore: Bool) {
    guard let batch = underWay else { return ([], false) }
    for arrival in batch.arrivals {
      byteCount -= arrival.size
      // A later one of the same tile is still on its way.
      if tiles[arrival.place]?.number == arrival.number { tiles[arrival.place] = nil }
    }
    underWay = !waiting.arrivals.isEmpty && isDue ? Batch() : nil
    return (batch.observers, underWay != nil)
  }
}
