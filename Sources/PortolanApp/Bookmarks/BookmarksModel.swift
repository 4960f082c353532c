public import Foundation
public import Observation
public import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
internal import PortolanRendering

/// The named places of an open map.
@MainActor
@Observable
public final class BookmarksModel {
  /// A bookmark in the list.
  public struct Entry: Hashable, Sendable, Codable {
    /// The name for people.
    public var name: String
    /// The place; `nil` if the map has none that can be read.
    public var viewpoint: Viewpoint?
    /// Whether the bookmark has a picture.
    public var hasThumbnail: Bool
  }

  /// What the screen shows.
  public struct State: Hashable, Sendable, Codable {
    /// The bookmarks, in the order of the map.
    public var bookmarks: [Entry]
    /// The place of the bookmark in the list that was gone to last.
    public var selection: Int?
  }

  /// The current state; observe this.
  public private(set) var state: State

  @ObservationIgnored private weak var map: MapModel?

  init(map: MapModel) {
    self.map = map
    let bookmarks = map.map.webMap.bookmarks.map {
      Entry(name: $0.name, viewpoint: $0.viewpoint, hasThumbnail: $0.thumbnail != nil)
    }
    state = State(bookmarks: bookmarks)
  }

  /// The picture of the bookmark at `index` of the list: the map's own, else one that is drawn of
  /// its place with the layers that are on.
  ///
  /// - Returns: PNG or JPEG; `nil` for a bookmark without a place.
  /// - Throws: A problem if there is no such bookmark or its place cannot be drawn.
  public func thumbnail(
    at index: Int, width: Double = 200, height: Double = 133
  ) async throws(Problem) -> Data? {
    let entry = try entry(at: index)
    guard let map else { return nil }
    if let picture = map.map.webMap.bookmarks[index].thumbnail { return picture }
    guard let viewpoint = entry.viewpoint else { return nil }
    do {
      // Drawn as on a screen four times as wide: at the scale of so small a window, layers would be
      // out of the scales at which they are shown, and the picture empty.
      var frame = map.state.frame
      (frame.width, frame.height) = (width * 4, height * 4)
      let request = MapPictureRequest(frame: try frame.showing(viewpoint), pixelRatio: 0.25)
      return try await map.drawing.picture(of: map.renderer, request).data
    } catch {
      throw Problem(error)
    }
  }

  /// Shows the bookmark at `index` of the list.
  ///
  /// - Throws: A problem if there is no such bookmark, or it has no place that can be shown.
  public func go(to index: Int) throws(Problem) {
    let entry = try entry(at: index)
    guard let viewpoint = entry.viewpoint else {
      throw Problem(message: "The bookmark \"\(entry.name)\" has no place.")
    }
    try map?.go(to: viewpoint)
    state.selection = index
  }

  private func entry(at index: Int) throws(Problem) -> Entry {
    guard state.bookmarks.indices.contains(index) else {
      throw Problem(
        message: "There is no bookmark \(index + 1).",
        suggestion: state.bookmarks.isEmpty
          ? "This map has no bookmarks." : "Choose one from 1 to \(state.bookmarks.count).",
        kind: .absence)
    }
    return state.bookmarks[index]
  }
}
