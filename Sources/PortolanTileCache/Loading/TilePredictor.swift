public import PortolanJSON
public import PortolanTiles

/// A source whose tiles can be loaded ahead of being requested.
public protocol TilePredicting: TileSource {
  /// Loads what lies around tiles, within a budget of bytes.
  func loadNeighbourhood(of viewed: [TileID], budget: Int) async -> PredictedTiles

  /// Asks again for tiles that are too old, within a budget of bytes.
  func refreshStaleTiles(budget: Int) async -> PredictedTiles
}

/// How many bytes may be loaded ahead, by all sources together.
public actor PredictionBudget {
  private var rest: Int

  /// Allows so many bytes.
  public init(byteCount: Int) { rest = byteCount }

  /// How many bytes may still be loaded.
  public var remaining: Int { rest }

  func spend(_ byteCount: Int) { rest -= byteCount }
}

/// Loads ahead while the map is idle: the neighbourhood of what was viewed last, then what is too
/// old.
///
/// It begins when nothing was viewed for a moment, and ends as soon as something is.
public actor TilePredictor {
  /// How many tiles make a view.
  private static let viewSize = 64

  private let source: any TilePredicting
  private let budget: PredictionBudget
  private let clock: any Clock<Duration>
  private let pause: Duration
  private var viewed: [TileID] = []
  private var work: Task<Void, Never>?

  /// Prepares to load ahead; nothing happens before something is viewed.
  ///
  /// - Parameters:
  ///   - source: Whose tiles are loaded.
  ///   - budget: How many bytes may be.
  ///   - clock: Measures the pause.
  ///   - pause: For how long nothing has to be viewed.
  public init(
    _ source: any TilePredicting, budget: PredictionBudget, clock: any Clock<Duration>,
    pause: Duration = .seconds(1)
  ) {
    self.source = source
    self.budget = budget
    self.clock = clock
    self.pause = pause
  }

  /// Takes note of a tile that is viewed.
  func view(_ tile: TileID) {
    viewed.append(tile)
    if viewed.count > Self.viewSize { viewed.removeFirst() }
    work?.cancel()
    // Who views a tile waits for nothing of this; the next who does ends it.
    work = Task { [clock, pause] in
      // Cancelling is the only way in which a clock fails.
      guard (try? await clock.sleep(for: pause)) != nil else { return }
      await self.loadAhead()
    }
  }

  private func loadAhead() async {
    let tiles = viewed
    await budget.spend(
      await source.loadNeighbourhood(of: tiles, budget: await budget.remaining).byteCount)
    guard !Task.isCancelled else { return }
    viewed = []
    await budget.spend(
      await source.refreshStaleTiles(budget: await budget.remaining).byteCount)
  }

  /// Waits until nothing is loaded ahead.
  public func settle() async { await work?.value }
}

/// A source that notices what is viewed, and has its neighbourhood loaded ahead.
public struct PredictingTileSource: TileSource {
  private let source: any TilePredicting
  /// What loads ahead.
  public let predictor: TilePredictor

  /// Has tiles of `source` loaded ahead by `predictor`.
  public init(_ source: any TilePredicting, _ predictor: TilePredictor) {
    self.source = source
    self.predictor = predictor
  }

  public var info: TileSourceInfo { source.info }

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    let tile = try await source.tile(at: id)
    await predictor.view(id)
    return tile
  }

  public func tileCounts() async throws(TileError) -> [Int: Int] { try await source.tileCounts() }

  public var tileIDs: TileIDs { source.tileIDs }

  public func metadata() async throws(TileError) -> JSONValue? { try await source.metadata() }
}
