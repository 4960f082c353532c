internal import Foundation
internal import PortolanLibrary
internal import PortolanPortal

/// A portal's description of a mobile map package to download.
struct PublishedPackage {
  let item: PortalItem
  let plan: DownloadPlan

  static func load(
    _ parameters: DownloadMobileMapPackageParameters, from portal: Portal
  ) async throws -> PublishedPackage {
    let id = try PortalItem.ID(parameters.item)
    let item = try await portal.item(id)
    guard item.isOf(.mobileMapPackage), let mapID = MapID(id.text) else {
      throw OfflineMapError.wrongItemType(
        item: item.title, type: item.kind.rawValue,
        expected: PortalItem.Kind.mobileMapPackage.rawValue)
    }
    let file = PlannedFile(item, of: portal, as: .mobileMapPackage)
    return PublishedPackage(
      item: item, plan: DownloadPlan(mapID: mapID, form: .file, files: [file]))
  }
}
