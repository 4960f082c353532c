import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Layers whose shapes are of a kind that is not supported.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct UnsupportedShapesTests {
  private static let kind = "esriGeometryMultiPatch"

  /// A layer of which the service says that its shapes are multipatches.
  private static func multipatches(_ answer: JSONObject) -> JSONObject? {
    guard let layers = answer["layers"]?.array, layers.contains(where: { $0["fields"] != nil })
    else { return nil }
    var answer = answer
    answer["layers"] = .array(
      layers.map { layer in
        guard ["Lighthouses", "Towns"].contains(layer["name"]?.string ?? ""),
          var members = layer.object
        else { return layer }
        members["geometryType"] = .string(kind)
        return .object(members)
      })
    return answer
  }

  private func bed() async throws -> OfflineJobBed {
    try await OfflineJobBed(in: temporaryDirectory) {
      LyingTransport($0, answering: { Self.multipatches($0) })
    }
  }

  private static let towns: JSONValue = [
    "id": "towns", "title": "Towns", "layerType": "ArcGISFeatureLayer",
    "url": .string(OfflineJobBed.service("MaineTowns") + "/0"),
  ]

  @Test func `A layer whose shapes do not come says so, and is no failure`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(operational: [
      OfflineJobBed.layer(1, "Lights"), Self.towns,
    ])
    let task = OfflineMapTask(
      portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap))
    let told = try await task.offlineMapCapabilities(parameters: parameters)
    let issue = OfflineIssue.unsupportedShapes(kind: Self.kind)
    #expect(told.layerCapabilities.map(\.issue) == [issue, issue])
    #expect(told.layerCapabilities.map(\.supportsOffline) == [true, true])
    #expect(told.layerCapabilities.map(\.isCopyOnly) == [false, true])
    #expect(!told.hasErrors)
    let made = try await bed.make(parameters)
    #expect(made.outcome.isComplete)
    let sentences = ["Lights: \(issue.message)", "Towns: \(issue.message)"]
    #expect(made.lease.map.omissions == sentences)
  }

  @Test func `A copy has the rows of the area, and no others`() async throws {
    let bed = try await bed()
    let made = try await bed.make(try await bed.parameters(operational: [Self.towns]))
    let service = FeatureService(
      url: try #require(URL(string: OfflineJobBed.service("MaineTowns"))),
      client: bed.bed.portal.client)
    let table = try await service.table(0)
    var query = ServiceQueryParameters()
    query.geometry = DemoBed.casco.geometry
    query.geometrySpatialReference = DemoBed.casco.spatialReference
    let count = try await table.count(matching: query)
    #expect(try await count < table.count(matching: ServiceQueryParameters()))
    let store = try #require(try made.geodatabase())
    let name = try #require(try await store.schemas().first?.name)
    #expect(try await made.count(name) == count)
  }

  @Test(arguments: [nil, "", "esriGeometryNull", "esriGeometryPoint"])
  func `What has no shapes, or shapes that are supported, lacks none`(_ kind: String?) throws {
    var layer: JSONObject = [
      "id": 3, "type": "Feature Layer", "name": "Huts",
      "fields": [["name": "OBJECTID", "type": "esriFieldTypeOID"]],
    ]
    layer["geometryType"] = kind.map { .string($0) }
    let info = try #require(FeatureLayerInfo(json: .object(layer)))
    #expect(info.unsupportedShapes == nil)
    #expect(info.hasShapes == (kind == "esriGeometryPoint"))
  }
}
