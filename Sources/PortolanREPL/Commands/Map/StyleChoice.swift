internal import Foundation
internal import PortolanApp

/// The style that vector tiles of a map are drawn with in place of their own.
struct StyleChoice: Sendable {
  static let style = Parameter.option(
    "style", "FILE",
    "A style for vector tiles: JSON as of Mapbox or MapLibre, with icons and glyphs beside it.",
    completion: .file)

  private let url: URL?

  init(_ arguments: Arguments) throws(UsageError) {
    url = try arguments.value(of: Self.style, as: .file)
  }

  /// Draws the map with the style from now on, if there is one.
  @MainActor func apply(to map: MapModel) async throws(Problem) {
    if let url { try await map.setStyle(from: url) }
  }
}
