internal import Foundation
internal import PortolanTiles
internal import PortolanTransport

/// Sources that a TileJSON document describes: it is read again, so that tiles are asked for where they
/// are now.
extension MapCache {
  /// After how many seconds a document is read again, with the next tile that is asked of the server.
  private static let longestAge = 86_400.0
  /// How many seconds lie between two attempts.
  private static let shortestPause = 60.0

  /// Why a document is read again.
  enum ReadingCause: Sendable {
    case age
    /// A server refuses a tile: it may have none there, or have them elsewhere by now.
    case refusal
  }

  /// Asks the server for a tile, telling it the version of what is `known`; once more where the source
  /// has other addresses by now.
  @concurrent
  nonisolated func answer(
    for tile: TileID, unlessIs known: StoredTile?
  ) async throws(TileCacheError) -> TileFetcher.Answer {
    let source = config
    guard source.documentAddress != nil else {
      return try await fetcher.fetch(tile, of: source, unlessIs: known)
    }
    // Beside the tile: a document whose server does not answer is not waited for twice.
    async let reading: Void = readDocument(because: .age)
    let result = await Result.of { () async throws(TileCacheError) in
      try await fetcher.fetch(tile, of: source, unlessIs: known)
    }
    await reading
    guard result.isRefusal else { return try result.get() }
    await readDocument(because: .refusal)
    let now = config
    guard now.urlTemplate != source.urlTemplate || now.alternatives != source.alternatives else {
      return try result.get()
    }
    return try await fetcher.fetch(tile, of: now, unlessIs: known)
  }

  /// Reads the document again if it is due.
  private func readDocument(because cause: ReadingCause) async {
    guard let task = beginReading(because: cause) else { return }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Begins to read the document; several whose tiles are refused at a time wait for the same answer.
  private func beginReading(because cause: ReadingCause) -> Task<Void, Never>? {
    if let reading { return cause == .refusal ? reading : nil }
    guard isDue(cause) else { return nil }
    lastReading = now()
    let task = Task {
      await self.readDocument()
      self.reading = nil
    }
    reading = task
    return task
  }

  private func isDue(_ cause: ReadingCause) -> Bool {
    let now = now()
    // A clock that was put back holds nothing up.
    func isPast(_ date: Date, _ seconds: Double) -> Bool {
      !(0..<seconds).contains(now.timeIntervalSince(date))
    }
    if let lastReading, !isPast(lastReading, Self.shortestPause) { return false }
    if let uselessReading, !isPast(uselessReading, Self.longestAge) { return false }
    switch cause {
    case .refusal: return true
    case .age: return config.document.map { isPast($0.read, Self.longestAge) } ?? false
    }
  }

  private func readDocument() async {
    let source = config
    var headers = source.headers
    if let userAgent = source.userAgent { headers["User-Agent"] = userAgent }
    let reader = TileSourceReader(transport: fetcher.transport, headers: headers, now: now)
    do throws(TileCacheError) {
      guard let told = try await reader.sourceNow(of: source) else {
        return await take { source in
          var source = source
          source.document?.note(readAt: self.now())
          return source
        }
      }
      // A document of another kind, as the capabilities of a WMTS, is not read with each refused tile.
      uselessReading = source.described(by: told) == nil ? now() : nil
      await take { $0.described(by: told) }
    } catch {
      // The source stays as it was known; who is cancelled has not tried.
      if error == .cancelled { lastReading = nil }
    }
  }

  /// Takes over what is known of the source now, here and in the store.
  private func take(_ change: (MapCacheConfig) -> MapCacheConfig?) async {
    let before = self.noted
    guard let config = change(config), let noted = change(before) else { return }
    know(config, notedAs: noted)
    await store.noteRead(noted, insteadOf: before)
    do throws(TileCacheError) {
      guard try await store.knownSource(of: noted) != nil else { return }
      // What another process has said of it since stays.
      let kept = try await store.config(named: noted.cacheName)
      _ = try await store.source(kept.flatMap(change) ?? noted)
    } catch {
      // Where it cannot be written, it is read again another time.
    }
  }
}

extension Result<TileFetcher.Answer, TileCacheError> {
  /// Whether the server says that the tile is not there, or not available to this client.
  fileprivate var isRefusal: Bool {
    switch self {
    case .success(.absent(_, let reason)): !reason.isEmptiness
    case .failure(let error): error.mayMeanAbsence
    case .success: false
    }
  }
}
