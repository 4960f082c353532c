public import Observation
public import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

/// The named places of an open map.
@MainActor
@Observable
public final class BookmarksModel {
  /// A bookmark in the list.
  public struct Entry: Hashable, Sendable {
    /// The name for people.
    public var name: String
    /// The place; `nil` if the map has none that can be read.
    public var viewpoint: Viewpoint?
    /// Whether the bookmark has a picture.
    public var hasThumbnail: Bool
  }

  /// What the screen shows.
  public struct State: Hashable, Sendable {
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

  /// Shows the bookmark at `index` of the list.
  ///
  /// - Throws: A problem if there is no such bookmark, or it has no place that can be shown.
  public func go(to index: Int) throws(Problem) {
    guard state.bookmarks.indices.contains(index) else {
      throw Problem(
        message: "There is no bookmark \(index + 1).",
        suggestion: state.bookmarks.isEmpty
          ? "This map has no bookmarks." : "Choose one from 1 to \(state.bookmarks.count).",
        kind: .absence)
    }
    guard let viewpoint = state.bookmarks[index].viewpoint else {
      throw Problem(message: "The bookmark «\(state.bookmarks[index].name)» has no place.")
    }
    try map?.go(to: viewpoint)
    state.selection = index
  }
}
