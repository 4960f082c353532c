internal import PortolanApp
internal import PortolanCrypto

/// Numbers the maps that are opened one after the other, and what they looked like.
///
/// The numbers begin anywhere: a browser keeps pictures by their addresses, and those of a Portolan
/// that ran before on the same port are of other maps.
@MainActor
final class MapRevisions {
  private var revision: Int
  private var opening: Int
  private weak var map: MapModel?
  private var drawing: Int?

  init(random: RandomSource) {
    let start = random.bytes(5).reduce(0) { $0 << 8 | Int($1) }
    (revision, opening) = (start, start)
  }

  /// The number of what a map looks like now.
  func revision(of map: MapModel) -> Int {
    if note(map) || drawing != map.state.drawingRevision {
      revision += 1
      drawing = map.state.drawingRevision
    }
    return revision
  }

  /// The number of a map that is open; another one as soon as another map is.
  func opening(of map: MapModel) -> Int {
    if note(map) { drawing = nil }
    return opening
  }

  /// Whether the map is another one than that before.
  private func note(_ map: MapModel) -> Bool {
    guard self.map !== map else { return false }
    self.map = map
    opening += 1
    return true
  }
}
