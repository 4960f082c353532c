internal import PortolanTiles

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
    // Viewing a tile does not wait for this; the next view cancels it.
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
