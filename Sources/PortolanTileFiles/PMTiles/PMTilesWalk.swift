internal import PortolanTiles

/// Goes through all entries of an archive that have tiles, in the order of their ids.
///
/// A directory that cannot be read is left out, and its error thrown after the others.
struct PMTilesWalk {
  /// A directory, how far it was gone through, and the id that it ends before.
  private struct Place {
    let directory: PMTilesDirectory
    let end: Int
    var index = 0
  }

  private let storage: PMTilesStorage
  private var places: [Place]
  private var failure: TileError?

  init(_ storage: PMTilesStorage) {
    self.storage = storage
    places = [Place(directory: storage.root, end: PMTilesID.end)]
  }

  /// The ids of the next run of tiles with the same content, or `nil` after the last.
  mutating func next() throws(TileError) -> Range<Int>? {
    while let place = places.last {
      guard place.index < place.directory.entries.count else {
        places.removeLast()
        continue
      }
      places[places.count - 1].index += 1
      let entry = place.directory.entries[place.index]
      let ids = place.directory.ids(below: place.index, end: place.end)
      // A run that reaches into the next entry ends there, as it does for who looks tiles up.
      guard entry.isLeaf else { return ids.prefix(entry.runLength) }
      open(entry, ids)
    }
    guard let error = failure else { return nil }
    failure = nil
    throw error
  }

  private mutating func open(_ entry: PMTilesEntry, _ ids: Range<Int>) {
    guard places.count < PMTilesStorage.maximumDepth else {
      failure = failure ?? storage.tooDeep
      return
    }
    do throws(TileError) {
      places.append(Place(directory: try storage.leaf(entry, ids: ids), end: ids.upperBound))
    } catch {
      failure = failure ?? error
    }
  }
}

extension PMTilesStorage {
  /// How many ids a batch has.
  private static let batchSize = 4_096

  /// How many tiles there are, by level.
  func tileCounts() throws(TileError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    var walk = PMTilesWalk(self)
    while let run = try walk.next() {
      var rest = run
      while let first = rest.first {
        let level = PMTilesID.level(of: first)
        let end = min(rest.upperBound, PMTilesID.first(ofLevel: level + 1))
        counts[level, default: 0] += end - first
        rest = end..<rest.upperBound
      }
    }
    return counts
  }

  /// The addresses of the tiles, in the order of their ids.
  var tileIDs: TileIDs {
    TileIDs {
      var walk = PMTilesWalk(self)
      var rest = 0..<0
      return { () async throws(TileError) -> [TileID]? in
        if rest.isEmpty {
          guard let run = try walk.next() else { return nil }
          rest = run
        }
        let batch = rest.prefix(Self.batchSize)
        rest = batch.upperBound..<rest.upperBound
        return batch.map(PMTilesID.tile)
      }
    }
  }
}
