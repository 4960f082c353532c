internal import PortolanApp
internal import PortolanGeometry

/// The place of the feature that a command is about, where the line names one.
struct PopupPlace: Sendable {
  static let place = Parameter.option(
    "at", "LON,LAT", "A place to look at first, as \"identify\" does.")

  private let place: Coordinate?

  init(_ arguments: Arguments) throws(UsageError) {
    place = try arguments.value(of: Self.place, as: .coordinate)
  }

  /// Finds the features at the place, if the line names one.
  ///
  /// - Throws: A usage error if it names none, and the map was opened for this line only, so that nothing
  ///   was found in it before.
  @MainActor func identify(on map: MapModel, in session: Session) async throws {
    guard let place else {
      guard session.keepsMap else {
        throw UsageError(
          "--at LON,LAT is missing.",
          suggestion: "Say where the feature is, or open the map at the prompt and use "
            + "\"identify\" first.")
      }
      return
    }
    session.noteIfSwapped([place])
    await map.identify.identify(longitude: place.x, latitude: place.y)
    if case .failed(let problem) = map.identify.state { throw problem }
    let results = map.identify.state.results
    guard results.allSatisfy(\.features.isEmpty) else { return }
    // Results may be in a layer that cannot be read.
    let unread = results.compactMap { result in
      result.problem.map { "\"\(result.title)\" cannot be read: \($0.message)" }
    }
    let text = [place.x, place.y].map { DecimalText.text($0, decimals: 9) }.joined(separator: ",")
    throw Failure(
      .notFound, "There is no feature at \(text).", reason: unread.first,
      suggestion: "Give the place of one; \"find\" and \"features\" show where they are.")
  }

  /// Shows the popup of the first feature at the place, if the line names one; else that of the
  /// first feature found, unless one is shown.
  @MainActor func select(on map: MapModel, in session: Session) async throws {
    try await identify(on: map, in: session)
    if place != nil || map.popups.state.selection == nil { try await map.popups.select(0) }
  }
}
