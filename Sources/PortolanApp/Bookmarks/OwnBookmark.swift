/// A place that a person has kept for a map.
public struct OwnBookmark: Hashable, Sendable, Codable {
  /// The name.
  public var name: String
  /// The longitude of the middle, in degrees.
  public var longitude: Double
  /// The latitude of the middle, in degrees.
  public var latitude: Double
  /// The denominator of the scale.
  public var scale: Double
  /// The turn in degrees, clockwise.
  public var rotation: Double

  /// Creates a bookmark.
  public init(
    name: String, longitude: Double, latitude: Double, scale: Double, rotation: Double = 0
  ) {
    self.name = name
    self.longitude = longitude
    self.latitude = latitude
    self.scale = scale
    self.rotation = rotation
  }
}

/// Keeps people's own bookmarks, by map.
public protocol BookmarkKeeping: Sendable {
  /// The bookmarks that are kept for a map, in the order in which they were added.
  ///
  /// - Throws: A problem if they cannot be read.
  @concurrent func bookmarks(of map: String) async throws(Problem) -> [OwnBookmark]

  /// Adds a bookmark.
  ///
  /// - Returns: Those of the map, with it.
  /// - Throws: A problem if it cannot be kept; the others are kept as they are.
  @concurrent func add(
    _ bookmark: OwnBookmark, to map: String
  ) async throws(Problem) -> [OwnBookmark]

  /// Removes a bookmark; one that is gone already is no problem.
  ///
  /// - Returns: Those of the map, without it.
  /// - Throws: A problem if it cannot be removed; all are kept then.
  @concurrent func remove(
    _ bookmark: OwnBookmark, from map: String
  ) async throws(Problem) -> [OwnBookmark]
}

/// Keeps bookmarks as long as the program runs.
public actor InMemoryBookmarks: BookmarkKeeping {
  private var kept: [String: [OwnBookmark]] = [:]

  /// Creates a keeper without bookmarks.
  public init() {}

  public func bookmarks(of map: String) -> [OwnBookmark] { kept[map] ?? [] }

  public func add(_ bookmark: OwnBookmark, to map: String) -> [OwnBookmark] {
    kept[map, default: []].append(bookmark)
    return bookmarks(of: map)
  }

  public func remove(_ bookmark: OwnBookmark, from map: String) -> [OwnBookmark] {
    kept[map]?.removeAll { $0 == bookmark }
    return bookmarks(of: map)
  }
}
