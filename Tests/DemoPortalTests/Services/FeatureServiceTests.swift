import DemoPortal
import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanTestSupport
import Testing

/// The resources of a hosted feature service.
@Suite struct FeatureServiceTests {
  @Test func `The root lists layers, tables and what the service can do`() async throws {
    let root = try await ServiceClient().json(ServiceClient.maine, ["f": "json"])
    #expect(root["layers"]?.array?.compactMap { $0["id"]?.int } == [0, 1, 2, 3, 4, 5])
    #expect(root["tables"]?[0]?["name"]?.string == "Lighthouse events")
    #expect(root["syncEnabled"]?.bool == true)
    #expect(root["syncCapabilities"]?["supportsPerLayerSync"]?.bool == true)
    #expect(root["capabilities"]?.string?.contains("Sync") == true)
  }

  @Test(.needsSharedFiles) func `Members that a recorded root has too are of the same kind`()
    async throws
  {
    let recorded = try JSONValue(
      parsing: SharedFiles.data(
        "fixtures/featureserver/maplibre-arcgis__FeatureLayer_trails_trails-service-info.json"))
    let root = try await ServiceClient().json(ServiceClient.maine, ["f": "json"])
    Self.expectSameKinds(root, as: recorded, without: Self.unserved)
  }

  @Test(.needsSharedFiles) func `Members that a recorded layer has too are of the same kind`()
    async throws
  {
    let recorded = try JSONValue(
      parsing: SharedFiles.data(
        "fixtures/featureserver/maplibre-arcgis__FeatureLayer_points_points-layer-info.json"))
    let layer = try await ServiceClient().json("\(ServiceClient.maine)/1", ["f": "json"])
    Self.expectSameKinds(layer, as: recorded, without: Self.unserved)
  }

  /// The capabilities that recorded services have and these do not, nor declare.
  private static let unserved: Set<String> = [
    "layerOverridesEnabled", "size", "supportedConvertContentFormats",
    "supportedConvertFileFormats", "supportedFullTextLocales", "supportsSharedTemplates",
    "hasSharedTemplates", "supportsTrueCurve", "supportedCurveTypes", "supportsSharedDomains",
    "allowTrueCurvesUpdates", "onlyAllowTrueCurveUpdatesByTrueCurveClients",
    "supportsTemporalLayers", "supportsQueryContingentValues", "supportsWebHooks",
    "supportedContingentValuesFormats", "supportsContingentValuesJson",
    "advancedEditingCapabilities", "supportsASyncCalculate", "supportsTruncate",
    "supportsAttachmentsResizing", "supportsExceedsLimitStatistics", "supportsLayerOverrides",
    "supportsTilesAndBasicQueriesMode", "supportsFieldDescriptionProperty",
    "supportsColumnStoreIndex", "enableNullGeometry", "advancedQueryAnalyticCapabilities",
    "queryBinsCapabilities", "infoInEstimates", "collation", "supportedAppendFormats",
    "supportedAppendSourceFilterFormats", "supportedExportFormats", "guidFormat",
    "supportedSyncDataOptions",
  ]

  private static func expectSameKinds(
    _ document: JSONValue, as recorded: JSONValue, without unserved: Set<String>
  ) {
    for member in recorded.object?.members ?? [] {
      guard let value = document[member.name] else {
        #expect(unserved.contains(member.name), "there is no \"\(member.name)\"")
        continue
      }
      #expect(value.kind == member.value.kind, "\"\(member.name)\"")
    }
  }

  @Test func `All layers come at once as they come one by one`() async throws {
    let client = try ServiceClient()
    let all = try await client.json("\(ServiceClient.maine)/layers", ["f": "json"])
    let layer = try await client.json("\(ServiceClient.maine)/2", ["f": "json"])
    #expect(all["layers"]?.array?.count == 6)
    #expect(all["tables"]?.array?.count == 1)
    #expect(all["layers"]?[2] == layer)
  }

  @Test func `A layer is read back by the reader of layers`() async throws {
    let client = try ServiceClient()
    let all = try await client.json("\(ServiceClient.maine)/layers", ["f": "json"])
    let resources = ((all["layers"]?.array ?? []) + (all["tables"]?.array ?? [])).map {
      LayerResource(json: $0)
    }
    let schemas = FeatureTableSchema.schemas(of: resources)
    let lighthouses = try #require(schemas.first { $0.name == "Lighthouses" })
    #expect(lighthouses.hasAttachments)
    #expect(lighthouses.globalIDField == "GlobalID")
    #expect(lighthouses.relationships.first?.relatedTable == "Lighthouse events")
    #expect(lighthouses.relationships.first?.relatedKeyField == "LIGHTHOUSE_ID")
  }

  @Test func `A layer that is not there is an invalid address`() async throws {
    let answer = try await ServiceClient().json("\(ServiceClient.maine)/77", ["f": "json"])
    #expect(answer["error"]?["code"]?.int == 400)
    #expect(answer["error"]?["message"]?.string == "Invalid URL")
  }

  @Test func `A private service asks for a token, and takes one`() async throws {
    let client = try ServiceClient()
    let path = "/arcgis/rest/services/ParkSurveys/FeatureServer/0/query"
    let refused = try await client.json(path, ["where": "1=1", "f": "json"])
    #expect(refused["error"]?["code"]?.int == 499)
    let token = await client.portal.state.issueToken(
      for: .user("demo"), in: .portal, lifetime: .seconds(60))
    let answer = try await client.json(path, ["where": "1=1", "f": "json"], token: token.value)
    #expect(answer["features"]?.array?.isEmpty == false)
  }

  @Test func `The server with other users refuses the portal's tokens`() async throws {
    let client = try ServiceClient()
    let path = "/secured/rest/services/HarborLights/FeatureServer/0"
    let state = client.portal.state
    let wrong = await state.issueToken(for: .user("demo"), in: .portal, lifetime: .seconds(60))
    let right = await state.issueToken(
      for: .user("harbormaster"), in: .secured, lifetime: .seconds(60))
    #expect(try await client.json(path)["error"]?["code"]?.int == 499)
    #expect(try await client.json(path, token: wrong.value)["error"]?["code"]?.int == 498)
    #expect(try await client.json(path, token: right.value)["name"]?.string == "Lighthouses")
  }
}

extension JSONValue {
  /// The kind of the value; numbers are of one kind.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .integer, .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
