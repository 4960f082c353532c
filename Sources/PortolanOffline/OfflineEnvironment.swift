public import Foundation
internal import PortolanJobs
public import PortolanLibrary
public import PortolanPortal

/// What taking maps offline needs: the library, portals, a way to verify maps, and surroundings.
public struct OfflineEnvironment: Sendable {
  /// Connects to a portal with the credentials there are.
  public typealias Connect = @Sendable (URL) async throws(PortalError) -> Portal
  /// Opens a map or one of its packages as people would, and returns its title.
  public typealias Check = @Sendable (URL) async throws -> String

  /// Where maps are stored.
  public let library: MapLibrary
  /// Connects to portals.
  public let connect: Connect
  /// Opens what has arrived, to see whether it is sound.
  public let check: Check
  /// Looks through a file of this device while it is copied in; without one it is checked
  /// afterwards, which reads it again.
  public let inspection: MapLibrary.Inspection?
  /// Time, chance and free space.
  public let surroundings: OfflineSurroundings

  /// Creates an environment.
  public init(
    library: MapLibrary, connect: @escaping Connect, check: @escaping Check,
    inspection: MapLibrary.Inspection? = nil, surroundings: OfflineSurroundings
  ) {
    self.library = library
    self.connect = connect
    self.check = check
    self.inspection = inspection
    self.surroundings = surroundings
  }
}

extension OfflineEnvironment {
  /// What is wrong with a file that has arrived; `nil` if it is sound.
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
