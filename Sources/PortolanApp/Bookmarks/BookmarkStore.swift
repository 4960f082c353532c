/// Stores the user's own bookmarks, by map.
public protocol BookmarkStore: Sendable {
  /// The bookmarks that are kept for a map, in the order in which they were added.
  ///
  /// - Throws: A problem if they cannot be read.
  @concurrent func bookmarks(of map: String) async throws(Problem) -> [UserBookmark]

  /// Adds a bookmark.
  ///
  /// - Returns: Those of the map, with it.
  /// - Throws: A problem if it cannot be kept; the others are kept as they are.
  @concurrent func add(
    _ bookmark: UserBookmark, to map: String
  ) async throws(Problem) -> [UserBookmark]

  /// Removes a bookmark; one that is gone already is no problem.
  ///
  /// - Returns: Those of the map, without it.
  /// - Throws: A problem if it cannot be removed; all are kept then.
  @concurrent func remove(
    _ bookmark: UserBookmark, from map: String
  ) async throws(Problem) -> [UserBookmark]
}

/// Stores bookmarks in memory, as long as the process runs.
public actor InMemoryBookmarkStore: BookmarkStore {
  private var kept: [String: [UserBookmark]] = [:]

  /// Creates an empty store.
  public init() {}

  public func bookmarks(of map: String) -> [UserBookmark] { kept[map] ?? [] }

  public func add(_ bookmark: UserBookmark, to map: String) -> [UserBookmark] {
    kept[map, default: []].append(bookmark)
    return bookmarks(of: map)
  }

  public func remove(_ bookmark: UserBookmark, from map: String) -> [UserBookmark] {
    kept[map]?.removeAll { $0 == bookmark }
    return bookmarks(of: map)
  }
}
