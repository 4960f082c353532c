internal import Foundation
internal import PortolanJSON
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPortal

/// A portal's description of an area to download.
struct AreaContents {
  let webMapItem: PortalItem
  let webMap: WebMap
  let area: PreplannedMapArea
  /// The packages that layers of the map are in.
  let packages: [AreaPackage]
  /// The services that the layers show.
  let sources: LayerSources
  /// What is fetched.
  let plan: DownloadPlan
  /// How the map is kept up to date where nobody chooses.
  let defaultUpdateMode: DownloadPreplannedOfflineMapParameters.UpdateMode

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
    var webMap = try WebMap(json: try await portal.json(of: webMapID) ?? .null)
    let sources = try await LayerSources.load(for: webMap, matching: found, from: portal)
    try await ItemDefinitions(sources, portal).complete(&webMap)
    let layers = AreaLayers(webMap, sources)
    let packages = found.filter { parameters.bringsBasemap || !layers.areBasemapOnly($0) }
    let files = packages.map { layers.file(of: $0, from: portal) }
    return AreaContents(
      webMapItem: webMapItem, webMap: webMap, area: area, packages: packages,
      sources: sources, plan: DownloadPlan(mapID: mapID, form: .folder, files: files),
      defaultUpdateMode: .init(of: area, found))
  }
}

/// The layers and tables of a web map that have data of their own.
struct AreaLayers {
  /// A layer or table.
  struct Entry {
    let title: String
    /// The services that it may show; none if they could not be found.
    let addresses: [String]
    let role: Layer.Role

    /// Whether a package has its data.
    func isHeld(by package: AreaPackage) -> Bool { addresses.contains(where: package.holds) }
  }

  let entries: [Entry]

  init(_ map: WebMap, _ sources: LayerSources) {
    var entries: [Entry] = []
    var map = map
    map.updateLayers { layer in
      guard let addresses = sources.addresses(of: layer) else { return }
      entries.append(Entry(title: layer.title, addresses: addresses, role: layer.role))
    }
    self.entries = entries
  }

  /// Whether a package holds layers of the basemap and nothing else.
  func areBasemapOnly(_ package: AreaPackage) -> Bool {
    let held = entries.filter { $0.isHeld(by: package) }
    return !held.isEmpty && held.allSatisfy { $0.role == .basemap }
  }

  func file(of package: AreaPackage, from portal: Portal) -> PlannedFile {
    PlannedFile(
      package.portalItem, of: portal, as: package.kind.file, in: AreaDocuments.dataFolder,
      affects: entries.filter { $0.isHeld(by: package) }.map(\.title))
  }
}
