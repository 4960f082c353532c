internal import Foundation
internal import PortolanJobs
internal import PortolanOffline
internal import PortolanPortal

/// What is asked of the queue so that a map is downloaded.
struct DownloadRequest {
  let order: OfflineJobOrder

  /// Finds out what an id stands for.
  ///
  /// - Throws: ``PortolanPortal/PortalError``, or a ``Problem`` for items that are no maps.
  init(
    _ id: String, _ row: MapListItem?, _ portalURL: URL?, portals: any PortalConnecting,
    _ options: DownloadOptions
  ) async throws {
    let portal = try await portals.portal(at: portalURL)
    if let row, row.kind == .area, let webMap = row.webMap {
      try self.init(area: row.id, of: webMap, title: row.title, at: portal, options)
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
    try self.init(area: item.id.text, of: webMap.id.text, title: item.title, at: portal, options)
  }

  private init(
    area: String, of webMap: String, title: String, at portal: Portal, _ options: DownloadOptions
  ) throws {
    order = try OfflineJobOrder(
      DownloadPreplannedOfflineMapParameters(
        portal: portal.url, webMap: webMap, area: area, includesBasemap: options.includesBasemap,
        referenceBasemap: options.referenceBasemap, continuesOnErrors: options.continuesOnErrors,
        updateMode: options.updateMode.parameter), title: title)
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
