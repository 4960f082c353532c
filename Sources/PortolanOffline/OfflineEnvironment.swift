public import Foundation
internal import PortolanJobs
public import PortolanLibrary
public import PortolanPortal

/// The dependencies of taking maps offline: the library, portals, a way to verify maps, and
/// surroundings.
public struct OfflineEnvironment: Sendable {
  /// Connects to a portal with the credentials there are.
  public typealias Connect = @Sendable (URL) async throws(PortalError) -> Portal
  /// Opens a map or one of its packages as people would, and returns its title.
  public typealias Check = @Sendable (URL) async throws -> String
  /// Opens a mobile map package and all that its maps show, and returns what of it cannot be read, a
  /// sentence each; throws what keeps all of it from being used.
  public typealias PackageCheck = @Sendable (URL) async throws -> [String]

  /// The library in which maps are stored.
  public let library: MapLibrary
  /// Connects to portals.
  public let connect: Connect
  /// Opens the downloaded files, to see whether it is sound.
  public private(set) var check: Check
  /// Looks through a mobile map package that has arrived, before it takes the place of another.
  public let checkPackage: PackageCheck
  /// Looks through a file of this device while it is copied in; without one it is checked
  /// afterwards, which reads it again.
  public let inspection: MapLibrary.Inspection?
  /// Time, chance and free space.
  public let surroundings: OfflineSurroundings

  /// Creates an environment.
  public init(
    library: MapLibrary, connect: @escaping Connect, check: @escaping Check,
    checkPackage: PackageCheck? = nil, inspection: MapLibrary.Inspection? = nil,
    surroundings: OfflineSurroundings
  ) {
    self.library = library
    self.connect = connect
    self.check = check
    self.checkPackage =
      checkPackage ?? { url in
        _ = try await check(url)
        return []
      }
    self.inspection = inspection
    self.surroundings = surroundings
  }
}

extension OfflineEnvironment {
  /// The same, which checks the downloaded files with `check`.
  func checking(with check: @escaping Check) -> OfflineEnvironment {
    var environment = self
    environment.check = check
    return environment
  }

  /// The damage to a downloaded file; `nil` if it is sound.
  ///
  /// - Throws: What keeps it from being opened now, such as a full disk or a task that was cancelled:
  ///   the file is not to be fetched again for that.
  func damage(of url: URL) async throws -> (any Error)? {
    do {
      _ = try await check(url)
      return nil
    } catch {
      guard !Task.isCancelled, case .failed(let failure) = JobInterruption(error),
        failure.kind == .damaged
      else { throw error }
      return error
    }
  }
}
