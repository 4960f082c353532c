internal import Foundation
internal import PortolanGeometry

// The bookmarks of one's own, behind those of the map.
extension BookmarksModel {
  /// The longest name, in characters as people count them.
  private static let longestName = 200

  /// Keeps what is seen under a name, also for the next time.
  ///
  /// - Throws: A problem if the name is empty, too long or taken, or the bookmark cannot be kept.
  public func add(_ name: String) async throws(Problem) {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty, name.count <= Self.longestName else {
      throw Problem(
        message: "A bookmark has a name of 1 to \(Self.longestName) characters.",
        suggestion: "Choose another name.", actions: [.init(.chooseAnotherName)])
    }
    guard !state.bookmarks.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw Problem(
        .alreadyExists, message: "There is a bookmark \"\(name)\" already.",
        suggestion: "Choose another name.", actions: [.init(.chooseAnotherName)])
    }
    let place = try requireKeeping()
    show(try await place.keeper.add(try bookmark(name), to: place.map))
  }

  /// Removes the bookmark of one's own at `index` of the list.
  ///
  /// - Throws: A problem if there is none, if it comes with the map, or if it cannot be removed.
  public func remove(at index: Int) async throws(Problem) {
    let entry = try entry(at: index)
    guard let bookmark = ownBookmark(at: index) else {
      throw Problem(
        .notPossible, message: "The bookmark \"\(entry.name)\" comes with the map.",
        suggestion: "Only bookmarks that you have added can be removed.")
    }
    let place = try requireKeeping()
    show(try await place.keeper.remove(bookmark, from: place.map))
  }

  /// Removes the bookmark of one's own that has a name.
  ///
  /// - Throws: A problem if there is none, or it cannot be removed.
  public func remove(own name: String) async throws(Problem) {
    guard let index = state.bookmarks.firstIndex(where: { $0.isOwn && $0.name == name }) else {
      throw Problem(
        .noSuchBookmark, message: "There is no bookmark \"\(name)\" of yours.",
        suggestion: "Look at the list.")
    }
    try await remove(at: index)
  }

  /// A bookmark of the current viewpoint.
  private func bookmark(_ name: String) throws(Problem) -> UserBookmark {
    guard let frame = map?.state.frame else { throw Problem(message: "The map is closed.") }
    do throws(GeometryError) {
      let center = try Projection(from: frame.spatialReference, to: .wgs84).project(frame.center)
      return UserBookmark(
        name: name, longitude: center.x, latitude: center.y, scale: frame.scale,
        rotation: frame.rotation)
    } catch {
      throw Problem(error)
    }
  }

  private func requireKeeping() throws(Problem) -> Keeping {
    guard let keeping else {
      throw Problem(.notPossible, message: "This app keeps no bookmarks.")
    }
    return keeping
  }
}

extension UserBookmark {
  /// The viewpoint that it leads to.
  var viewpoint: Viewpoint {
    .center(
      Coordinate(x: longitude, y: latitude), scale: scale, rotation: rotation,
      spatialReference: .wgs84)
  }
}
