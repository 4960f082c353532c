public import Foundation
internal import PortolanLibrary
internal import PortolanPortal

extension OfflineEnvironment {
  /// What a job would need and what there is; asks the portal and writes nothing.
  ///
  /// - Parameters:
  ///   - kind: The kind of job.
  ///   - parameters: Its parameters.
  /// - Returns: The estimate.
  /// - Throws: ``PortalError``, ``OfflineMapError``, `LibraryError`.
  @concurrent public func estimate(kind: String, parameters: Data) async throws -> DownloadEstimate
  {
    do {
      switch kind {
      case PreplannedDownload.kind:
        return try await estimate(
          JSONDecoder().decode(DownloadPreplannedOfflineMapParameters.self, from: parameters))
      case MobileMapPackageDownload.kind:
        return try await estimate(
          JSONDecoder().decode(DownloadMobileMapPackageParameters.self, from: parameters))
      default: throw OfflineMapError.unknownJobKind(kind)
      }
    } catch is DecodingError {
      throw OfflineMapError.badParameters
    }
  }

  /// What a preplanned area needs and what there is; asks the portal and writes nothing.
  ///
  /// - Parameter parameters: What is to be downloaded.
  /// - Returns: The estimate.
  /// - Throws: ``PortalError``, ``OfflineMapError``, `LibraryError`.
  public func estimate(
    _ parameters: DownloadPreplannedOfflineMapParameters
  ) async throws -> DownloadEstimate {
    let portal = try await connect(parameters.portal)
    let contents = try await AreaContents.load(parameters, from: portal)
    return try await estimate(contents.plan, job: nil)
  }

  /// What a mobile map package needs and what there is; asks the portal and writes nothing.
  ///
  /// - Parameter parameters: What is to be downloaded.
  /// - Returns: The estimate.
  /// - Throws: ``PortalError``, ``OfflineMapError``, `LibraryError`.
  public func estimate(
    _ parameters: DownloadMobileMapPackageParameters
  ) async throws -> DownloadEstimate {
    let portal = try await connect(parameters.portal)
    let contents = try await PackageContents.load(parameters, from: portal)
    return try await estimate(contents.plan, job: nil)
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
      }, freeBytes: freeSpace(layout.home))
  }
}
