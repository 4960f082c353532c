internal import PortolanApp
internal import PortolanCrypto

/// Numbers the maps that are opened one after the other, and what they looked like.
///
/// The numbers begin anywhere: a browser keeps images by their addresses, and those of a Portolan
/// that ran before on the same port are of other maps.
@MainActor
final class MapRevisions {
  private struct Opening {
    weak var map: MapModel?
    let number: Int
  }

  private var revision: Int
  private var lastOpening: Int
  /// The maps that are there, also those that were closed while something still asks them.
  private var openings: [Opening] = []
  private weak var map: MapModel?
  private var drawing: Int?

  init(random: RandomSource) {
    let start = random.bytes(5).reduce(0) { $0 << 8 | Int($1) }
    (revision, lastOpening) = (start, start)
  }

  /// The number of what the open map looks like now.
  func revision(of map: MapModel) -> Int {
    if self.map !== map || drawing != map.state.drawingRevision {
      revision += 1
      self.map = map
      drawing = map.state.drawingRevision
    }
    return revision
  }

  /// The number of a map; each has one of its own, whichever is open by now.
  func opening(of map: MapModel) -> Int {
    openings.removeAll { $0.map == nil }
    if let known = openings.first(where: { $0.map === map }) { return known.number }
    lastOpening += 1
    openings.append(Opening(map: map, number: lastOpening))
    return lastOpening
  }
}
