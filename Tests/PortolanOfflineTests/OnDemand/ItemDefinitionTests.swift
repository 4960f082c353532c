import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanLibrary
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import DemoPortal
@testable import PortolanOffline

/// The appearance that items of layers define goes along where the map says nothing.
@Suite(.temporaryDirectory) struct ItemDefinitionTests {
  /// Puts what Map Viewer saves with the item of a service on the portal.
  private func item(_ bed: OfflineJobBed) async -> String {
    let id = await bed.bed.state.nextID()
    var item = DemoItem(
      id: id, owner: "demo", title: "Explore Maine", type: "Feature Service", created: DemoBed.day)
    item.url = OfflineJobBed.service("ExploreMaine")
    item.content = .document(
      """
      {"layers": [{"id": 1, "showLabels": true, "layerDefinition": {
        "definitionExpression": "HEIGHT_FT > 30"}, "popupInfo": {"title": "{NAME}"}}]}
      """)
    await bed.bed.state.put(item)
    return id
  }

  private func layer(_ id: String, of item: String, where clause: String? = nil) -> JSONValue {
    var members = OfflineJobBed.layer(1, id, where: clause).object ?? [:]
    members["itemId"] = .string(item)
    return .object(members)
  }

  private func map(_ bed: OfflineJobBed, _ layer: JSONValue) async throws -> WebMap {
    let parameters = try await bed.parameters(operational: [layer])
    _ = try await bed.run(
      try OfflineJobOrder(GenerateOfflineMapJobParameters(parameters: parameters), title: "Casco"))
    let lease = try await bed.bed.library.open(try #require(MapID(parameters.mapID)))
    let package = try await MobileMapPackage.open(
      at: lease.url, unpackingInto: temporaryDirectory.appending(path: "u"), now: DemoBed.day)
    return try #require(package.maps.first?.webMap)
  }

  @Test func `A layer of which the map says nothing is offline as its item says`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let map = try await map(bed, layer("lights", of: await item(bed)))
    let taken = try #require(map.layer(withID: "lights"))
    #expect(taken.layerDefinition.definitionExpression == "HEIGHT_FT > 30")
    #expect(taken.showsLabels && taken.popupDefinition?.title == "{NAME}")
  }

  @Test func `Layers defined in the map are offline as the map says, the rest as the item does`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let map = try await map(
      bed, layer("lights", of: await item(bed), where: "HEIGHT_FT > 50"))
    let taken = try #require(map.layer(withID: "lights"))
    #expect(taken.layerDefinition.definitionExpression == "HEIGHT_FT > 50")
    #expect(taken.showsLabels && taken.popupDefinition?.title == "{NAME}")
  }
}
