internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPortal

/// A request to the queue to download a map.
struct DownloadRequest {
  let order: OfflineJobOrder

  /// Finds out what an id stands for.
  ///
  /// - Throws: ``PortolanPortal/PortalError``, or a ``Problem`` for items that are no maps.
  init(
    _ id: String, _ row: MapListItem?, _ portalURL: URL?, portals: any PortalConnecting,
    _ options: DownloadOptions, in environment: OfflineEnvironment
  ) async throws {
    let portal = try await portals.portal(at: portalURL)
    if let row, row.kind == .area, let webMap = row.webMap {
      try await self.init(
        area: (row.id, webMap, portal.url), title: row.title, options, in: environment)
      return
    }
    let item = try await portal.item(PortalItem.ID(id))
    if item.isOf(.mobileMapPackage) {
      try self.init(package: item, at: portal)
      return
    }
    guard item.isOf(.mapArea) else { throw Self.refusal(item) }
    guard
      let webMap = try await portal.relatedItems(
        to: item.id, through: .mapToArea, direction: .reverse
      ).first
    else {
      throw Problem(
        message: "The portal does not say which map the area \"\(item.title)\" belongs to.")
    }
    try await self.init(
      area: (item.id.text, webMap.id.text, portal.url), title: item.title, options,
      in: environment)
  }

  private init(
    area: (id: String, webMap: String, portal: URL), title: String, _ options: DownloadOptions,
    in environment: OfflineEnvironment
  ) async throws {
    let stored: StoredAreaOptions? =
      if let id = MapID(area.id) { try await environment.storedOptions(of: id) } else { nil }
    let parameters = options.parameters(for: area, asStored: stored)
    try await parameters.checkReferenceBasemap(in: environment)
    order = try OfflineJobOrder(parameters, title: title)
  }

  private init(package item: PortalItem, at portal: Portal) throws {
    order = try OfflineJobOrder(
      DownloadMobileMapPackageParameters(portal: portal.url, item: item.id.text),
      title: item.title)
  }

  private static func refusal(_ item: PortalItem) -> Problem {
    Problem(
      .wrongItemType,
      message: "\"\(item.title)\" is a \(item.kind.rawValue), which cannot be downloaded.",
      suggestion: item.isOf(.webMap)
        ? "Download one of its areas." : "Mobile map packages and the areas of web maps can be.",
      actions: item.isOf(.webMap) ? [.init(.listAreas, item.id.text)] : [])
  }
}
