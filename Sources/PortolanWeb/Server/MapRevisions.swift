internal import PortolanApp

/// Numbers what the open map looked like, over all maps that are opened one after the other.
@MainActor
final class MapRevisions {
  private var number = 0
  private weak var map: MapModel?
  private var drawing: Int?

  /// The number of what a map looks like now.
  func revision(of map: MapModel) -> Int {
    if self.map !== map || drawing != map.state.drawingRevision {
      number += 1
      self.map = map
      drawing = map.state.drawingRevision
    }
    return number
  }
}
