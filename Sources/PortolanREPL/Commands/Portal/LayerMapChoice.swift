internal import PortolanApp

/// The map of a command on a layer that could not be loaded: the open one, or one that its line
/// names.
struct LayerMapChoice: Sendable {
  static let map = Parameter.option(
    "map", "MAP",
    "A map of the list, the id of a web map, or a file with a map; the one that is open unless given.",
    completion: .mapOrFile)

  private let source: MapSource?

  init(_ arguments: Arguments) throws(UsageError) {
    source = try arguments.value(of: Self.map, as: .mapSource)
  }

  /// Opens the map that the line names; nothing if it names none.
  @MainActor func open(_ screens: PortalScreens, in session: Session) async throws {
    guard let source else { return }
    guard try await source.isUnlistedWebMap(in: session) else {
      _ = try await source.open(map: nil, in: session)
      return
    }
    try await session.app.open(screens.loadWebMap(named: source.text, in: session))
    session.offerWords()
  }
}
