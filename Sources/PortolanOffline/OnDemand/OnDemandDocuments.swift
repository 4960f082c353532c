internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal

/// The documents of an offline map that was made on demand, as ArcGIS lays them out.
///
/// - SeeAlso: Docs/FORMATS.md, 1
struct OnDemandDocuments {
  let parameters: GenerateOfflineMapParameters
  let webMap: PortalItem
  /// The picture of the map; `nil` for none.
  let picture: Data?
  let guid: UUID
  let now: Date

  /// The documents by their paths below the folder of the package.
  func documents(of map: WebMap) throws -> [(path: String, data: Data)] {
    let extent = try parameters.areaOfInterest.projected(to: .wgs84).extent.corners
    let folder = AreaDocuments.dataFolder
    return [
      ("package.info", info(extent).encoded()),
      (
        "\(folder)/\(AreaDocuments.mapName).mmap",
        JSONValue.object(["item": .object(item(extent)), "map": .object(map.json)]).encoded()
      ),
    ]
  }

  private func info(_ extent: JSONValue) -> JSONValue {
    var info = common(extent)
    info["guid"] = .string(guid.plainText)
    info["maps"] = [.string(AreaDocuments.mapName)]
    info["type"] = "Mobile Map Package"
    info["typeKeywords"] = ["Mobile Map Package", "Map", "2D", "mmpk", "Mobile"]
    info["version"] = "3.2"
    info["spatialReference"] = webMap.spatialReferenceName.map { .string($0) }
    return .object(info)
  }

  private func item(_ extent: JSONValue) -> JSONObject {
    var item = common(extent)
    item["id"] = .string(guid.plainText)
    item["guid"] = .string(guid.plainText)
    item["originalPortalItemId"] = .string(webMap.id.text)
    item["portalUrl"] = .string(parameters.portal.absoluteString)
    item["type"] = "Mobile Map"
    item["typeKeywords"] = ["Map", "Mobile Map", "2D", "Mobile"]
    return item
  }

  private func common(_ extent: JSONValue) -> JSONObject {
    let said = parameters.itemInfo
    var members: JSONObject = [
      "created": .integer(Int64(now.timeIntervalSince1970 * 1000)),
      "modified": .integer(Int64(now.timeIntervalSince1970 * 1000)),
      "name": .string(AreaDocuments.mapName), "title": .string(said.title),
      "tags": JSONValue(texts: said.tags), "extent": extent,
    ]
    members["thumbnail"] = picture.map {
      .string("data:image/png;base64," + $0.base64EncodedString())
    }
    members["snippet"] = said.snippet.map { .string($0) }
    members["description"] = said.description.map { .string($0) }
    members["accessInformation"] = said.accessInformation.map { .string($0) }
    members["licenseInfo"] = said.termsOfUse.map { .string($0) }
    return members
  }
}
