internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal

/// The documents of an offline map as ArcGIS lays them out beside its packages.
///
/// - SeeAlso: Docs/FORMATS.md, 1
struct AreaDocuments {
  /// The folder of the map and its data, below that of the package.
  static let dataFolder = "p13"
  /// The name of the map's documents.
  static let mapName = "mobile_map"

  let portal: URL
  let webMap: PortalItem
  let area: PreplannedMapArea
  let packages: [AreaPackage]
  /// What else the area consists of, which could not be downloaded.
  var lacking: [AreaPackage] = []
  let updateMode: DownloadPreplannedOfflineMapParameters.UpdateMode
  /// Whether somebody has chosen the mode: it holds then for all that the area consists of.
  var isUpdateModeChosen = true
  let guid: UUID
  let now: Date

  /// The geodatabases that are kept without updates although others of the area are synchronized, since
  /// their author has not set them up for that.
  var unsynchronized: [AreaPackage] {
    guard !isUpdateModeChosen, updateMode == .syncWithFeatureServices,
      (packages + lacking).contains(where: { $0.kind == .geodatabase && $0.isSyncable })
    else { return [] }
    return packages.filter { $0.kind == .geodatabase && !$0.isSyncable }
  }

  /// The documents by their paths below the folder of the package.
  func documents(of map: WebMap) -> [(path: String, data: Data)] {
    [
      ("package.info", info.encoded()),
      ("\(Self.dataFolder)/\(Self.mapName).mmap", mobileMap(map).encoded()),
      ("\(Self.dataFolder)/\(Self.mapName).marea", areaRecord.encoded()),
    ]
  }

  /// The map with the paths of the packages in its layers.
  ///
  /// Layers that no package holds keep what they name only, and need a network.
  ///
  /// - Parameters:
  ///   - map: The web map.
  ///   - sources: The services that its layers show.
  ///   - includesBasemap: Whether layers of the basemap are kept.
  ///   - reference: What stands in for the layers of the basemap.
  /// - Returns: The map.
  func offlineMap(
    of map: WebMap, _ sources: LayerSources, includesBasemap: Bool, reference: ReferenceBasemap?
  ) -> WebMap {
    var offline = map
    if !includesBasemap { offline.basemap.layers = [] }
    if let reference { offline.basemap.layers = [reference.layer] }
    offline.updateLayers { layer in
      for address in sources.addresses(of: layer) ?? [] {
        guard let package = packages.first(where: { $0.holds(address) }) else { continue }
        layer.path = PackagePath("./\(package.fileName)", itemID: package.itemID(of: address))
        return
      }
    }
    return offline
  }

  private var info: JSONValue {
    var info: JSONObject = [
      "created": now.milliseconds, "guid": .string(guid.plainText), "maps": [.string(Self.mapName)],
      "modified": now.milliseconds, "name": .string(Self.mapName),
      "title": .string(area.portalItem.title), "type": "Mobile Map Package",
      "typeKeywords": [
        "Mobile Map Package", "Map", "2D", "mmpk", "Mobile", "Preplanned",
      ], "version": "3.2",
    ]
    info["extent"] = area.portalItem.extent?.corners
    info["spatialReference"] = webMap.spatialReferenceName.map { .string($0) }
    info["snippet"] = area.portalItem.snippet.map { .string($0) }
    addCredits(to: &info)
    return .object(info)
  }

  private func mobileMap(_ map: WebMap) -> JSONValue {
    var item: JSONObject = [
      "id": .string(guid.plainText), "guid": .string(guid.plainText),
      "originalPortalItemId": .string(webMap.id.text),
      "portalUrl": .string(portal.absoluteString), "created": now.milliseconds,
      "modified": now.milliseconds, "name": .string(Self.mapName),
      "title": .string(area.portalItem.title), "type": "Mobile Map",
      "typeKeywords": ["Map", "Mobile Map", "2D", "Mobile", "Map Area", "Preplanned"],
      "tags": JSONValue(texts: area.portalItem.tags),
    ]
    item["extent"] = area.portalItem.extent?.corners
    item["snippet"] = area.portalItem.snippet.map { .string($0) }
    addCredits(to: &item)
    return ["item": .object(item), "map": .object(map.json)]
  }

  /// Adds the attribution and the terms of use, as the area says, else the map that it is of.
  private func addCredits(to members: inout JSONObject) {
    let credits = area.portalItem.accessInformation ?? webMap.accessInformation
    members["accessInformation"] = credits.map { .string($0) }
    let terms = area.portalItem.termsOfUse ?? webMap.termsOfUse
    members["licenseInfo"] = terms.map { .string($0) }
  }

  private var areaRecord: JSONValue {
    var record: JSONObject = ["areaPortalItemID": .string(area.id.text)]
    record["packageRefreshSchedule"] = area.packageRefreshSchedule.map { .string($0) }
    let unsynchronized = Set(unsynchronized.map(\.id))
    record["packages"] = .array(
      packages.map { package in
        var entry: JSONObject = [
          "itemType": .string(package.portalItem.kind.rawValue),
          "packagePortalItemID": .string(package.id.text),
          "path": .string("file:./\(package.fileName)"),
        ]
        entry["originalServiceUrl"] = package.serviceURL.map { .string($0.absoluteString) }
        let properties = package.portalItem.properties ?? [:]
        entry["originalReplicaID"] = properties["replicaID"]
        entry["currentServerGen"] =
          properties["replicaServerGen"] ?? properties["layerServerGens"]?[0]?["serverGen"]
        if package.kind == .geodatabase {
          let mode = unsynchronized.contains(package.id) ? .noUpdates : updateMode
          entry["preplannedUpdateMode"] = .string(mode.rawValue)
        }
        return .object(entry)
      })
    record["portalUrl"] = .string(portal.absoluteString)
    return .object(record)
  }
}

extension AreaPackage {
  /// The number of the layer that an address names, for geodatabases.
  fileprivate func itemID(of address: String) -> Int? {
    guard kind == .geodatabase else { return nil }
    return ServiceName(address).text.split(separator: "/").last.flatMap { Int($0) }
  }
}
