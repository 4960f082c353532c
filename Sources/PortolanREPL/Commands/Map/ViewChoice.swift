internal import PortolanApp
internal import PortolanGeometry

/// The viewpoint that a line moves the map to.
struct ViewChoice: Sendable {
  static let center = Parameter.option(
    "center", "LON,LAT", "The middle of the view, as longitude and latitude.")
  static let scale = Parameter.option(
    "scale", "N", "The denominator of the scale: 24000 for 1:24000.")

  private let center: Coordinate?
  private let scale: Double?

  init(_ arguments: Arguments) throws(UsageError) {
    center = try arguments.value(of: Self.center, as: .coordinate)
    scale = try arguments.value(of: Self.scale, as: .scale)
  }

  /// Whether the line says anything of the view.
  var isGiven: Bool { center != nil || scale != nil }

  /// Moves the view, if the line says so.
  @MainActor func apply(to map: MapModel, in session: Session) throws(Problem) {
    if let center {
      session.noteIfSwapped([center])
      try map.go(
        to: Viewpoint(
          target: .center(center), scale: scale, rotation: map.state.frame.rotation,
          spatialReference: .wgs84))
    } else if let scale {
      map.setScale(scale)
    }
  }
}
