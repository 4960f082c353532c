internal import PortolanApp
internal import PortolanGeometry

extension Session {
  /// Says so if a position in degrees lies outside of the open package, and inside once its numbers
  /// are exchanged.
  func noteIfSwapped(_ positions: [Coordinate]) {
    guard let extent = app.package.state.contents?.extent, app.mapIndex != nil else { return }
    for position in positions where !extent.contains(position) {
      guard extent.contains(Coordinate(x: position.y, y: position.x)) else { continue }
      let text = "\(position.x),\(position.y)"
      presenter.note(
        "\(text) lies outside of the map, and inside with latitude and longitude exchanged. The "
          + "longitude comes first.")
      return
    }
  }
}
