internal import PortolanApp

/// Numbers the maps that are opened one after the other, and what they looked like.
@MainActor
final class MapRevisions {
  private var revision = 0
  private var opening = 0
  private weak var map: MapModel?
  private var drawing: Int?

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
