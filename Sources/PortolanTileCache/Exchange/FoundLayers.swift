internal import PortolanLocks
internal import PortolanTiles

/// The layers that were found in the vector tiles of a cache, kept for the next request.
///
/// A cache may hold millions of tiles, and every client that opens a served cache asks for its
/// layers. So each request looks at a few more tiles of every level until all were looked at; then
/// none is looked at again before there are other tiles.
final class FoundLayers: Sendable {
  /// Whose tiles are looked at.
  struct Subject: Hashable, Sendable {
    var source: String
    var region: TileRegion?
    var levels: ClosedRange<Int>
  }

  /// A look at all tiles, which many questions share.
  struct Round: Sendable {
    /// How many tiles the cache had when it began.
    let tileCount: Int
    /// What was found up to now.
    var layers = VectorTileLayers()
    /// Up to where each level was looked at.
    var last: [Int: TileID] = [:]
    /// The levels that are not over.
    var levels: [Int]

    /// Whether all tiles were looked at.
    var isWhole: Bool { levels.isEmpty }
  }

  private struct Finding {
    var whole: Round?
    var underWay: Round?

    /// All that is known.
    var layers: VectorTileLayers {
      var layers = whole?.layers ?? VectorTileLayers()
      if let underWay { layers.formUnion(underWay.layers) }
      return layers
    }
  }

  private let findings = Locked<[Subject: Finding]>([:])

  /// The look that is to be gone on with, or begun in a cache of so many tiles; `nil` where it is over
  /// and the cache has as many tiles as then.
  func round(of subject: Subject, tileCount: Int) -> Round? {
    findings.withLock { findings in
      let finding = findings[subject]
      if let underWay = finding?.underWay { return underWay }
      guard finding?.whole?.tileCount != tileCount else { return nil }
      return Round(tileCount: tileCount, levels: Array(subject.levels))
    }
  }

  /// Keeps how far a look has come.
  func keep(_ round: Round, of subject: Subject) {
    findings.withLock { findings in
      if round.isWhole {
        findings[subject] = Finding(whole: round)
      } else {
        findings[subject, default: Finding()].underWay = round
      }
    }
  }

  /// What was found.
  func layers(of subject: Subject) -> VectorTileLayers {
    findings.withLock { $0[subject]?.layers ?? VectorTileLayers() }
  }

  /// Forgets everything: the file is another one.
  func forget() { findings.withLock { $0 = [:] } }
}
