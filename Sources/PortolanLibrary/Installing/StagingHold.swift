internal import Foundation
internal import PortolanFiles

/// Marks a folder of `staging` as in use, for as long as the value or its process lives.
///
/// Jobs are known to the catalogue; imports and exports are not, and their folders would count as
/// abandoned.
public struct StagingHold: Sendable {
  fileprivate let lock: FileLock

  /// Ends that; call it in a `defer`, so that the value lives until then.
  public func release() { lock.release() }
}

extension MapLibrary {
  /// Marks a folder that is there as one that is worked in.
  func hold(staged folder: URL) async throws(LibraryError) -> StagingHold? {
    do {
      // An audit that tests the lock holds it for a moment.
      return try await FileLock.attempt(
        .shared, on: .item(folder), patientlyBy: clock, in: files
      ).map(StagingHold.init)
    } catch {
      throw LibraryError(error)
    }
  }

  /// Waits until no other process chooses the title of a map that it adds, be it as a job.
  ///
  /// Whoever looks which titles are free, and then takes one, holds this for both: of two at a time the
  /// second finds what the first has added. So, too, of two imports of the same package.
  public func holdTitles() async throws(LibraryError) -> StagingHold {
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
