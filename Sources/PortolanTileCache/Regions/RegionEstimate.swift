internal import Foundation
internal import PortolanGeometry
internal import PortolanTiles

/// Estimates the size of a region from some of its tiles.
public struct RegionEstimate: Hashable, Sendable {
  /// How many tiles each level has.
  public var counts: [Int: Int]
  /// How many tiles were looked at.
  public var sampleCount: Int
  /// The bytes, from few to many; `nil` if no tile could be loaded.
  public var byteCount: ClosedRange<Int>?
  /// The bytes that are most likely.
  public var likelyByteCount: Int?
  /// Why no tile could be loaded; `nil` if any could.
  public var failure: TileCacheError?

  /// How many tiles there are.
  public var count: Int {
    counts.values.reduce(0) { sum, count in
      let (total, overflows) = sum.addingReportingOverflow(count)
      return overflows ? .max : total
    }
  }
}

extension MapCache {
  /// Looks at some tiles of a plan and says how large the whole will be.
  ///
  /// The tiles are loaded through the cache, so that nothing is loaded in vain. Where there is no
  /// network the tiles that are here count, and so does nothing else; nor is a server waited for again that
  /// has been silent for some of them.
  ///
  /// - Parameters:
  ///   - plan: Which tiles.
  ///   - samples: How many are looked at, at most.
  ///   - seed: Which ones: the same for the same number.
  /// - Returns: The figures.
  /// - Throws: ``TileCacheError/emptyRegion``, ``TileCacheError/cancelled``.
  public func estimate(
    _ plan: RegionPlan, samples: Int = 32, seed: UInt64 = 1
  ) async throws(TileCacheError) -> RegionEstimate {
    let counts = plan.counts.filter { $0.count > 0 }
    guard !counts.isEmpty else { throw .emptyRegion }
    var numbers = SplitMix64(seed: seed)
    var sizes: [Int: [Double]] = [:]
    var silenceCount = 0
    var failure: TileCacheError?
    // The finest levels hold nearly all the tiles.
    let perLevel = max(2, samples / min(counts.count, 6))
    for (level, count) in counts.suffix(6) {
      for tile in plan.shape.sample(of: perLevel, among: count, level: level, &numbers) {
        guard !Task.isCancelled else { throw .cancelled }
        let mode: LoadTileMode? = silenceCount < Self.mostSilences ? nil : .cacheOnly
        let sample = await sample(tile, mode)
        if sample.failure?.isSilence ?? false { silenceCount += 1 }
        failure = failure ?? sample.failure
        if let size = sample.size { sizes[level, default: []].append(size) }
      }
    }
    var estimate = RegionEstimate(
      counts: Dictionary(uniqueKeysWithValues: counts.map { ($0.level, $0.count) }),
      sampleCount: sizes.values.reduce(0) { $0 + $1.count })
    estimate.add(sizes)
    if sizes.isEmpty { estimate.failure = failure }
    return estimate
  }

  /// After how many tiles for which the server has been silent it is no longer asked: each of them may take
  /// as long as a request may.
  private static let mostSilences = 2

  /// The bytes of a tile, 0 where there is none and `nil` if it cannot be loaded, and why the server did not
  /// give it.
  private func sample(
    _ tile: TileID, _ mode: LoadTileMode?
  ) async -> (size: Double?, failure: TileCacheError?) {
    do throws(TileCacheError) {
      let loaded = try await loadTile(at: tile, mode: mode)
      let size = Double(loaded.tile?.data.count ?? 0)
      guard case .fallback(let error) = loaded.path else { return (size, nil) }
      return (size, error)
    } catch {
      // A sample that fails is one sample less.
      return (nil, error)
    }
  }
}

extension RegionEstimate {
  /// Puts the sizes of samples together, level by level.
  fileprivate mutating func add(_ sizes: [Int: [Double]]) {
    let all = sizes.values.flatMap(\.self)
    guard !all.isEmpty else { return }
    var (likely, variance) = (0.0, 0.0)
    for (level, count) in counts {
      let known = sizes[level] ?? all
      let mean = known.reduce(0, +) / Double(known.count)
      let spread = known.count > 1 ? known : all
      let overall = spread.reduce(0, +) / Double(spread.count)
      let squares = spread.reduce(0) { $0 + ($1 - overall) * ($1 - overall) }
      let deviation = squares / Double(max(1, spread.count - 1))
      likely += mean * Double(count)
      // What was looked at is known: where that is all of a level, nothing is left to guess.
      let guessed = 1 - Double(sizes[level]?.count ?? 0) / Double(count)
      variance += Double(count) * Double(count) * deviation / Double(known.count) * guessed
    }
    // Two standard errors hold the truth nineteen times of twenty.
    let error = 2 * variance.squareRoot()
    likelyByteCount = Self.whole(likely)
    // There is at least what was looked at.
    let fewest = min(likely, max(all.reduce(0, +), likely - error))
    byteCount = Self.whole(fewest)...Self.whole(likely + error)
  }

  private static func whole(_ value: Double) -> Int { Int(exactly: value.rounded()) ?? .max }
}
