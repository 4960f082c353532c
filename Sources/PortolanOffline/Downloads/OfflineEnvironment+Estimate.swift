internal import PortolanLibrary
internal import PortolanPortal

extension OfflineEnvironment {
  /// What a preplanned area needs and what there is; asks the portal and writes nothing.
  ///
  /// - Parameter parameters: What is to be downloaded.
  /// - Returns: The estimate.
  /// - Throws: `PortalError`, ``OfflineMapError``, `LibraryError`.
  public func estimate(
    _ parameters: DownloadPreplannedOfflineMapParameters
  ) async throws -> DownloadEstimate {
    let portal = try await connect(parameters.portal)
    let contents = try await AreaContents.load(parameters, from: portal)
    let stored = try await library.storage.storedMap(contents.mapID)
    return DownloadEstimate(
      files: contents.packages.map { .init(title: $0.portalItem.title, byteCount: $0.byteCount) },
      presentBytes: stored.flatMap { $0.deleted == nil ? $0.byteCount : nil } ?? 0,
      freeBytes: freeSpace(library.layout.home))
  }
}
