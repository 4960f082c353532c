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
  /// The packages that layers of the map are in.
  let packages: [AreaPackage]
  /// What is fetched.
  let plan: DownloadPlan

  static func load(
    _ parameters: DownloadPreplannedOfflineMapParameters, from portal: Portal
  ) async throws -> AreaContents {
    let webMapID = try PortalItem.ID(parameters.webMap)
    let areaID = try PortalItem.ID(parameters.area)
    let item = try await portal.item(areaID)
    guard item.isOf(.mapArea) else {
      throw OfflineMapError.wrongItemType(
        item: item.title, type: item.kind.rawValue, expected: PortalItem.Kind.mapArea.rawValue)
    }
    let area = PreplannedMapArea(item: item)
    switch area.packagingStatus {
    case .complete: break
    case .processing: throw OfflineMapError.packagingNotComplete(area: item.title)
    case .failed: throw OfflineMapError.packagingFailed(area: item.title)
    }
    let task = OfflineMapTask(portal: portal, webMap: webMapID)
    let found = try await task.packages(of: area)
    guard !found.isEmpty, let mapID = MapID(areaID.text) else {
      throw OfflineMapError.noPackages(area: item.title)
    }
    let webMapItem = try await portal.item(webMapID)
    let webMap = try WebMap(json: try await portal.json(of: webMapID) ?? .null)
    let layers = AreaLayers(webMap)
    let bringsBasemap = parameters.includesBasemap && parameters.referenceBasemap == nil
    let packages = found.filter { bringsBasemap || !layers.areBasemapOnly($0) }
    let files = packages.map { layers.file(of: $0) }
    return AreaContents(
      webMapItem: webMapItem, webMap: webMap, area: area, packages: packages,
      plan: DownloadPlan(mapID: mapID, form: .folder, files: files))
  }
}

/// The layers and tables of a web map that have data of their own.
struct AreaLayers {
  /// A layer or table.
  struct Entry {
    let title: String
    let address: String
    let role: Layer.Role
  }

  let entries: [Entry]

  init(_ map: WebMap) {
    var entries: [Entry] = []
    var map = map
    map.updateLayers { layer in
      guard let address = layer.url else { return }
      entries.append(Entry(title: layer.title, address: address, role: layer.role))
    }
    self.entries = entries
  }

  /// Whether a package holds layers of the basemap and nothing else.
  func areBasemapOnly(_ package: AreaPackage) -> Bool {
    let held = entries.filter { package.holds($0.address) }
    return !held.isEmpty && held.allSatisfy { $0.role == .basemap }
  }

  func file(of package: AreaPackage) -> PlannedFile {
    PlannedFile(
      item: package.portalItem, path: "\(AreaDocuments.dataFolder)/\(package.fileName)",
      affects: entries.filter { package.holds($0.address) }.map(\.title))
  }
}
