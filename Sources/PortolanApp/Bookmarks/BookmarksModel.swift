public import Foundation
public import Observation
public import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages

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
    /// Whether a picture of it can be had: its own, or one of a place that the map covers.
    public var hasPicture: Bool
    /// Whether a person has added it, and can remove it; the others come with the map.
    public var isOwn = false
  }

  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The bookmarks, in the order of the map; behind them those of one's own.
    public var bookmarks: [Entry]
    /// The place of the bookmark in the list that was gone to last.
    public var selection: Int?
    /// The reason why the user's own bookmarks cannot be read; `nil` if they could.
    public var problem: Problem?
  }

  /// The store of the user's own bookmarks.
  struct Keeping {
    let keeper: any BookmarkStore
    /// The key of the map in the store.
    let map: String
  }

  /// The current state; observe this.
  public private(set) var state: State

  @ObservationIgnored private(set) weak var map: MapModel?
  @ObservationIgnored private(set) var keeping: Keeping?
  @ObservationIgnored private var own: [UserBookmark] = []

  init(map: MapModel) {
    self.map = map
    let (reference, extent) = (map.state.frame.spatialReference, map.map.item.extent)
    let bookmarks = map.map.webMap.bookmarks.map { bookmark in
      let isCovered = bookmark.viewpoint.map {
        Self.isCovered($0, in: reference, by: extent)
      }
      return Entry(
        name: bookmark.name, viewpoint: bookmark.viewpoint,
        hasThumbnail: bookmark.thumbnail != nil,
        hasPicture: bookmark.thumbnail != nil || isCovered == true)
    }
    state = State(bookmarks: bookmarks)
  }

  /// Takes over the bookmarks of one's own that are kept for the map.
  func load(from keeping: Keeping) async {
    self.keeping = keeping
    do throws(Problem) { show(try await keeping.keeper.bookmarks(of: keeping.map)) } catch {
      state.problem = error
    }
  }

  /// Lists the bookmarks of one's own behind those of the map.
  func show(_ bookmarks: [UserBookmark]) {
    let selected = state.selection.map { state.bookmarks[$0] }
    own = bookmarks
    let extent = map?.map.item.extent
    state.problem = nil
    state.bookmarks.removeAll(where: \.isOwn)
    state.bookmarks += bookmarks.map { bookmark in
      Entry(
        name: bookmark.name, viewpoint: bookmark.viewpoint, hasThumbnail: false,
        hasPicture: Self.isCovered(bookmark.viewpoint, in: .wgs84, by: extent), isOwn: true)
    }
    // The number of one's own may be another now.
    if let selected, selected.isOwn {
      state.selection = state.bookmarks.firstIndex(of: selected)
    }
  }

  /// The bookmark of one's own at `index` of the list; `nil` for one of the map.
  func ownBookmark(at index: Int) -> UserBookmark? {
    let place = index - (state.bookmarks.count - own.count)
    return own.indices.contains(place) ? own[place] : nil
  }

  /// Whether a map that covers an extent in degrees shows something of a place.
  ///
  /// A map of an area that was taken offline keeps the bookmarks of the whole map.
  private static func isCovered(
    _ viewpoint: Viewpoint, in reference: SpatialReference, by extent: Envelope?
  ) -> Bool {
    guard let extent, extent.width > 0, extent.height > 0 else { return true }
    let own = viewpoint.spatialReference ?? reference
    // A place that cannot be projected cannot be shown.
    guard let place = try? Projection(from: own, to: .wgs84).project(viewpoint.target.extent) else {
      return false
    }
    return extent.intersects(place)
  }

  /// The picture of the bookmark at `index` of the list: the map's own, else one that is drawn of
  /// its place with the layers that are on.
  ///
  /// - Returns: PNG or JPEG; `nil` for a bookmark without a place, or with one that the map does not
  ///   cover.
  /// - Throws: A problem if there is no such bookmark or its place cannot be drawn.
  public func thumbnail(
    at index: Int, width: Double = 200, height: Double = 133
  ) async throws(Problem) -> Data? {
    let entry = try entry(at: index)
    guard let map else { return nil }
    if !entry.isOwn, let picture = map.map.webMap.bookmarks[index].thumbnail { return picture }
    guard let viewpoint = entry.viewpoint, entry.hasPicture else { return nil }
    do {
      // Drawn as on a screen four times as wide: at the scale of so small a window, layers would be
      // out of the scales at which they are shown, and the picture empty.
      var frame = map.state.frame
      (frame.width, frame.height) = (width * 4, height * 4)
      let request = MapPictureRequest(frame: try frame.showing(viewpoint), pixelRatio: 0.25)
      return try await map.drawing.picture(of: map.drawn, request).data
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

  func entry(at index: Int) throws(Problem) -> Entry {
    guard state.bookmarks.indices.contains(index) else {
      throw Problem(
        message: "There is no bookmark \(index.counted).",
        suggestion: state.bookmarks.isEmpty
          ? "This map has no bookmarks." : state.bookmarks.count.choiceOfNumbers,
        kind: .absence)
    }
    return state.bookmarks[index]
  }
}

extension Viewpoint.Target {
  /// The box of the place; one without size for a center.
  var extent: Envelope {
    switch self {
    case .center(let center):
      Envelope(xMin: center.x, yMin: center.y, xMax: center.x, yMax: center.y)
    case .extent(let extent): extent
    }
  }
}
