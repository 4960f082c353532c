internal import Foundation
internal import PortolanLibrary

extension OfflineEnvironment {
  /// The space that a job needs and the space that is free; asks the portal and writes nothing.
  ///
  /// - Parameter order: The job.
  /// - Returns: The estimate.
  /// - Throws: ``PortalError``, ``OfflineMapError``, `LibraryError`.
  @concurrent public func estimate(_ order: OfflineJobOrder) async throws -> DownloadEstimate {
    guard let kind = OfflineJobKind.all.first(where: { $0.id == order.kind }) else {
      throw OfflineMapError.unknownJobKind(order.kind)
    }
    return try await kind.estimate(order.parameters, self)
  }

  /// Compares a plan with what is on the device; `job` is the one that works on it.
  func estimate(_ plan: DownloadPlan, job: String?) async throws(LibraryError) -> DownloadEstimate {
    let layout = library.layout
    let staging = job.map { layout.staging($0) }.flatMap { folder in
      FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) ? folder : nil
    }
    let before = try await library.storage.storedMap(plan.mapID).flatMap {
      $0.deleted == nil && $0.form == plan.form ? $0 : nil
    }
    return DownloadEstimate(
      plan, staging: staging, installed: before.map { layout.place(of: $0) },
      installedVersion: before.map {
        FileVersion(modified: $0.sourceModified, byteCount: $0.byteCount)
      }, freeBytes: surroundings.freeSpace(layout.home))
  }
}
