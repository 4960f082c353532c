internal import PortolanApp
internal import PortolanGeometry

extension Session {
  /// Says so if a position in degrees lies outside of the open package, and inside once its numbers
  /// are exchanged.
  func noteIfSwapped(_ positions: [Coordinate]) {
    guard let position = swapped(positions) else { return }
    presenter.note("\(Self.sentence(on: position)) The longitude comes first.")
  }

  /// Refuses such a position where it would be stored.
  ///
  /// - Throws: A usage error that has the position as it was probably meant.
  func refuseSwapped(_ positions: [Coordinate]) throws(UsageError) {
    guard let position = swapped(positions) else { return }
    throw UsageError(
      Self.sentence(on: position),
      suggestion:
        "The longitude comes first: \(position.y),\(position.x). Give --crs 4326 if the place "
        + "is meant as it is.")
  }

  private func swapped(_ positions: [Coordinate]) -> Coordinate? {
    // A file of features has no extent of its own but that of its map.
    guard app.mapIndex != nil,
      let extent = app.package.state.contents?.extent ?? app.map?.homeExtent
    else { return nil }
    return positions.first { position in
      !extent.contains(position) && extent.contains(Coordinate(x: position.y, y: position.x))
    }
  }

  private static func sentence(on position: Coordinate) -> String {
    "\(position.x),\(position.y) lies outside of the map, and inside with latitude and longitude "
      + "exchanged."
  }
}
