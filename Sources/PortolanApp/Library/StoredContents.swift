public import Foundation
internal import PortolanLibrary
internal import PortolanPackages

/// The contents of a stored map's package, and its expiration.
public struct StoredContents: Hashable, Sendable, Codable {
  /// The date until which a map may be used, and the effect of it.
  public struct Expiration: Hashable, Sendable, Codable {
    /// The date of expiry.
    public var date: Date
    /// The author's message about the expiry.
    public var message: String?
    /// Whether it does not open since; else it opens with a warning.
    public var preventsAccess: Bool
  }

  /// The id that its author gave it, in small letters.
  public var packageID: String?
  /// The title that its author gave it.
  public var title: String?
  /// The number of maps, those included that cannot be opened; `nil` if it cannot be read.
  public var mapCount: Int?
  /// The date until which it may be used; `nil` if its author sets none.
  public var expiration: Expiration?
  /// The reason why it cannot be read; `nil` if it can, and if all that keeps it closed is its
  /// date.
  public var problem: Problem?

  /// Reads them of a package.
  init(_ package: MobileMapPackage) {
    packageID = package.info.guid?.lowercased()
    title = package.info.title
    mapCount = package.mapNames.count
    expiration = package.info.expiration.map {
      Expiration(
        date: $0.date, message: $0.message, preventsAccess: $0.policy == .preventAccess)
    }
  }

  /// Tells why a package does not open.
  init(_ error: PackageError) {
    guard case .expired(_, let date, let message) = error else {
      problem = Problem(error)
      return
    }
    expiration = Expiration(date: date, message: message, preventsAccess: true)
  }
}

/// The contents of a stored map, with the version that they were read from.
struct ReadContents {
  let contents: StoredContents
  private let version: Int
  private let installed: Date

  init(_ contents: StoredContents, of map: StoredMap) {
    self.contents = contents
    version = map.version
    installed = map.installed
  }

  /// Whether they are of the version that is stored.
  func isOf(_ map: StoredMap) -> Bool { version == map.version && installed == map.installed }
}
