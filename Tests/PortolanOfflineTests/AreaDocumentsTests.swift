import Foundation
import PortolanJSON
import PortolanMap
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The documents of an area that was downloaded, and how it is kept up to date unless told otherwise.
@Suite struct AreaDocumentsTests {
  private static let portal = URL(filePath: "/portal")

  private func item(_ id: String, _ members: JSONObject) throws -> PortalItem {
    var json = members
    json["id"] = .string(id)
    if json["title"] == nil { json["title"] = "Title" }
    return try #require(PortalItem(json: .object(json)))
  }

  private func documents(
    area: JSONObject = [:], map: JSONObject = [:], packages: [JSONObject] = []
  ) throws -> [String: JSONValue] {
    var (areaMembers, mapMembers) = (area, map)
    areaMembers["type"] = "Map Area"
    mapMembers["type"] = "Web Map"
    let documents = AreaDocuments(
      portal: Self.portal, webMap: try item(AreaPortal.webMap, mapMembers),
      area: PreplannedMapArea(portalItem: try item(AreaPortal.area, areaMembers)),
      packages: try packages.map {
        try #require(AreaPackage(item: try item(AreaPortal.features, $0)))
      }, updateMode: .syncWithFeatureServices, guid: UUID(), now: OfflineBed.day)
    let webMap = try WebMap(json: try JSONValue(parsing: AreaPortal.map))
    return Dictionary(
      uniqueKeysWithValues: try documents.documents(of: webMap).map {
        ($0.path, try JSONValue(parsing: $0.data))
      })
  }

  private static let credits: [(JSONObject, JSONObject, String?)] = [
    ([:], [:], nil), ([:], ["accessInformation": "Map"], "Map"),
    (["accessInformation": "Area"], [:], "Area"),
    (["accessInformation": "Area"], ["accessInformation": "Map"], "Area"),
  ]

  @Test(arguments: credits)
  func `Credits come from the area, else from its map`(
    _ area: JSONObject, _ map: JSONObject, _ credit: String?
  ) throws {
    let documents = try documents(area: area, map: map)
    #expect(documents["package.info"]?["accessInformation"]?.string == credit)
    let item = documents["p13/mobile_map.mmap"]?["item"]
    #expect(item?["accessInformation"]?.string == credit)
    #expect(item?["originalPortalItemId"]?.string == AreaPortal.webMap)
  }

  @Test func `Terms of use come along as credits do`() throws {
    let documents = try documents(map: ["licenseInfo": "Terms"])
    #expect(documents["package.info"]?["licenseInfo"]?.string == "Terms")
    #expect(documents["p13/mobile_map.mmap"]?["item"]?["licenseInfo"]?.string == "Terms")
  }

  private static let generations: [(JSONObject, Int64?)] = [
    (["replicaServerGen": 7, "layerServerGens": [["id": 0, "serverGen": 42]]], 7),
    (["layerServerGens": [["id": 0, "serverGen": 42], ["id": 1, "serverGen": 43]]], 42),
    ([:], nil),
  ]

  @Test(arguments: generations)
  func `A copy of features records the generation from which it is updated`(
    _ properties: JSONObject, _ generation: Int64?
  ) throws {
    let record = try documents(packages: [
      ["type": "SQLite Geodatabase", "properties": .object(properties)]
    ])["p13/mobile_map.marea"]
    let package = record?["packages"]?[0]
    #expect(package?["currentServerGen"]?.integer == generation)
    #expect(package?["preplannedUpdateMode"]?.string == "syncWithFeatureServices")
    #expect(package?["path"]?.string == "file:./\(AreaPortal.features).geodatabase")
    #expect(package?["packagePortalItemID"]?.string == AreaPortal.features)
  }

  private static let syncable: JSONObject = [
    "type": "SQLite Geodatabase", "typeKeywords": ["Replica", "Syncable"],
  ]
  private static let plain: JSONObject = ["type": "SQLite Geodatabase"]
  private static let mixtures: [([JSONObject], Bool, [String?])] = [
    ([plain, syncable], false, ["noUpdates", "syncWithFeatureServices"]),
    ([plain, syncable], true, ["syncWithFeatureServices", "syncWithFeatureServices"]),
    // If none says so, whoever has kept it so before decides.
    ([plain, plain], false, ["syncWithFeatureServices", "syncWithFeatureServices"]),
    ([syncable, ["type": "Tile Package"]], false, ["syncWithFeatureServices", nil]),
  ]

  @Test(arguments: mixtures)
  func `A geodatabase that is not set up for it is not synchronized with the others unasked`(
    _ packages: [JSONObject], _ isChosen: Bool, _ modes: [String?]
  ) throws {
    let ids = [AreaPortal.features, AreaPortal.tiles]
    let documents = AreaDocuments(
      portal: Self.portal, webMap: try item(AreaPortal.webMap, ["type": "Web Map"]),
      area: PreplannedMapArea(portalItem: try item(AreaPortal.area, ["type": "Map Area"])),
      packages: try zip(ids, packages).map {
        try #require(AreaPackage(item: try item($0, $1)))
      }, updateMode: .syncWithFeatureServices, isUpdateModeChosen: isChosen, guid: UUID(),
      now: OfflineBed.day)
    let map = try WebMap(json: try JSONValue(parsing: AreaPortal.map))
    let data = try #require(
      documents.documents(of: map).first { $0.path.hasSuffix(".marea") }?.data)
    let stated = try JSONValue(parsing: data)["packages"]?.array ?? []
    #expect(stated.map { $0["preplannedUpdateMode"]?.string } == modes)
    #expect(documents.unsynchronized.count == modes.count { $0 == "noUpdates" })
  }

  // MARK: - Defaults

  private static let modes: [(String, String?, DownloadPreplannedOfflineMapParameters.UpdateMode)] =
    [
      ("", "0 0 3", .noUpdates),
      (
        #"{"id": "\#(AreaPortal.tiles)", "type": "Tile Package", "title": "T"}"#, "0 0 3",
        .noUpdates
      ),
      (
        #"{"id": "\#(AreaPortal.features)", "type": "SQLite Geodatabase", "title": "F"}"#, nil,
        .noUpdates
      ),
      (
        #"{"id": "\#(AreaPortal.features)", "type": "SQLite Geodatabase", "title": "F"}"#, "0 0 3",
        .downloadScheduledUpdates
      ),
    ]

  @Test(arguments: modes)
  func `Only features with scheduled updates, or that synchronize, are kept up to date`(
    _ package: String, _ schedule: String?,
    _ mode: DownloadPreplannedOfflineMapParameters.UpdateMode
  ) async throws {
    let server = AreaPortal()
    let task = OfflineMapTask(
      portal: try server.portal, webMap: try PortalItem.ID(AreaPortal.webMap))
    var area = try #require(try await task.preplannedMapAreas().first)
    area.packageRefreshSchedule = schedule
    server.answer(
      path: "/content/items/\(AreaPortal.area)/relatedItems",
      with: [.json(#"{"relatedItems": [\#(package)]}"#)])
    let parameters = try await task.makeDefaultDownloadPreplannedOfflineMapParameters(
      preplannedMapArea: area)
    #expect(parameters.updateMode == mode)
  }
}
