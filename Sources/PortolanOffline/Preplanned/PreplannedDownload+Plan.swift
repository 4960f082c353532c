internal import PortolanLibrary
internal import PortolanPortal

extension PreplannedDownload {
  /// What the download of an area would bring, and whether there is room for it; writes nothing.
  ///
  /// - Throws: ``OfflineMapError``, `PortalError`.
  public func plan(
    _ parameters: DownloadPreplannedOfflineMapParameters
  ) async throws -> DownloadPlan {
    let portal = try await environment.connect(parameters.portal)
    let contents = try await AreaContents.load(parameters, from: portal)
    let library = environment.library
    let stored = try await library.storage.storedMap(contents.mapID)
    return DownloadPlan(
      title: contents.area.portalItem.title,
      parts: contents.packages.map {
        DownloadPlan.Part(title: $0.portalItem.title, byteCount: $0.byteCount)
      },
      presentByteCount: stored.flatMap { $0.deleted == nil ? $0.byteCount : nil } ?? 0,
      freeByteCount: environment.freeSpace(library.layout.home))
  }
}
