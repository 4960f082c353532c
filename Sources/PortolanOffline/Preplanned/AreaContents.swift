internal import Foundation
internal import PortolanJSON
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPortal

/// What a portal says of an area that is to be downloaded.
struct AreaContents {
  let webMapItem: PortalItem
  let webMap: WebMap
  let area: PreplannedMapArea
  let packages: [AreaPackage]
  /// The id that the map is stored under.
  let mapID: MapID

  static func load(
    _ parameters: DownloadPreplannedOfflineMapParameters, from portal: Portal
  ) async throws -> AreaContents {
    let webMapID = try PortalItemID(parameters.webMap)
    let areaID = try PortalItemID(parameters.area)
    let item = try await portal.item(areaID)
    let area = PreplannedMapArea(item: item)
    switch area.packagingStatus {
    case .complete: break
    case .processing: throw OfflineMapError.packagingNotComplete(area: item.title)
    case .failed: throw OfflineMapError.packagingFailed(area: item.title)
    }
    let task = OfflineMapTask(portal: portal, webMap: webMapID)
    let packages = try await task.packages(of: area)
    guard !packages.isEmpty, let mapID = MapID(areaID.text) else {
      throw OfflineMapError.noPackages(area: item.title)
    }
    let webMapItem = try await portal.item(webMapID)
    let document = try await portal.json(of: webMapID) ?? .null
    return AreaContents(
      webMapItem: webMapItem, webMap: try WebMap(json: document), area: area, packages: packages,
      mapID: mapID)
  }
}
