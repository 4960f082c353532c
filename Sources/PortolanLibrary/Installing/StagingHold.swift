internal import Foundation
internal import PortolanFiles

/// Marks a folder of `staging` as in use, for as long as the value or its process lives.
///
/// Jobs are known to the catalogue; whoever copies a package in or out is not, and its folder would
/// count as abandoned.
public struct StagingHold: Sendable {
  fileprivate let lock: FileLock

  /// Says that nobody does any more; call it in a `defer`, so that it is held as long.
  public func release() { lock.release() }
}

extension MapLibrary {
  /// Marks a folder that is there as one that is worked in.
  func hold(staged folder: URL) async throws(LibraryError) -> StagingHold? {
    do {
      // An audit that looks whether somebody has it holds it for a moment.
      return try await FileLock.attempt(
        .shared, on: .item(folder), patientlyBy: clock, in: files
      ).map(StagingHold.init)
    } catch {
      throw LibraryError(error)
    }
  }

  /// Waits until nobody else puts what was brought in on the list.
  ///
  /// Of two who bring in the same at once the second one finds what the first one has stored.
  public func holdImports() async throws(LibraryError) -> StagingHold {
    do {
      return StagingHold(
        lock: try await FileLock.acquire(
          .exclusive, on: .item(layout.folder(.staging)), clock: clock, in: files
        ) { [tell] in
          tell(.waits(holder: $0?.description))
        })
    } catch {
      throw LibraryError(error)
    }
  }

  /// Whether a folder is in use, or that is unknown.
  nonisolated func isHeld(staged folder: URL) -> Bool {
    do {
      return try FileLock.attempt(.exclusive, on: .item(folder), in: files) == nil
    } catch .absent {
      return false
    } catch {
      return true
    }
  }
}
