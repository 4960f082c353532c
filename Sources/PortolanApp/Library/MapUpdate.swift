public import Foundation

/// The result of comparing a stored map with its portal's version.
public struct MapUpdate: Hashable, Sendable, Codable, Identifiable {
  /// Whether there is a newer version, as far as is known.
  public enum Freshness: Hashable, Sendable, Codable {
    /// The portal has nothing newer.
    case current
    /// The portal has a newer version.
    case available
    /// The portal did not tell.
    case unknown(Problem)
    /// The map came from this device, or its portal gave no date.
    case untracked
    /// The portal no longer has the area; what is on this device stays.
    case withdrawn

    /// The freshness, in a word.
    public var word: String {
      switch self {
      case .current: "current"
      case .available: "available"
      case .unknown: "unknown"
      case .untracked: "none"
      case .withdrawn: "withdrawn"
      }
    }

    /// The reason why the portal did not tell.
    public var problem: Problem? {
      if case .unknown(let problem) = self { problem } else { nil }
    }
  }

  /// The id of the map.
  public let id: String
  /// Its title.
  public let title: String
  /// The date at which it was stored.
  public let installed: Date
  /// The date of the last change of its source, as the portal gave it then.
  public let storedModified: Date?
  /// The date of the last change, by the portal.
  public let portalModified: Date?
  /// Whether there is a newer version, as far as is known.
  public let freshness: Freshness
  /// The scheduled updates that the portal has for the map since; `nil` for none.
  public var scheduled: Scheduled?
  /// Whether services made the map, so that what changed there comes with its next synchronization.
  public var comesWithSync: Bool?

  /// The scheduled updates that a portal has for a map since it was updated.
  public struct Scheduled: Hashable, Sendable, Codable {
    /// The number of updates.
    public var count: Int
    /// The bytes of all of them; `nil` if the portal does not say.
    public var byteCount: Int?
    /// Whether the next synchronization receives them; a map that was downloaded without updates gets
    /// them only where it is downloaded again in a mode that receives them.
    public var comesWithSync = true
  }

  /// Whether the portal has scheduled updates that the map is not kept up to date by.
  public var leavesOutScheduled: Bool { scheduled?.comesWithSync == false }
}
