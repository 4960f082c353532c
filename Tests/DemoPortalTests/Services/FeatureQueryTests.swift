import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import Testing

/// Queries of hosted layers.
@Suite struct FeatureQueryTests {
  private static let towns = "\(ServiceClient.maine)/0/query"
  private static let old = "\(ServiceClient.towns)/0/query"

  private func set(
    _ parameters: KeyValuePairs<String, String>
  ) async throws -> FeatureSet { try await set(Self.towns, parameters) }

  private func set(
    _ path: String, _ parameters: KeyValuePairs<String, String>
  ) async throws -> FeatureSet {
    let json = try await ServiceClient().json(path, parameters)
    return try #require(FeatureSet(json: json), "\(json.text())")
  }

  @Test func `Object ids come in the order asked for`() async throws {
    let client = try ServiceClient()
    let parameters: KeyValuePairs = [
      "where": "1=1", "returnIdsOnly": "true", "orderByFields": "OBJECTID DESC",
    ]
    let ids = try await client.json(Self.towns, parameters)["objectIds"]?.array?.compactMap(\.int)
    #expect(ids?.count == 35 && ids == ids?.sorted(by: >))
  }

  @Test func `All features come with fields and shapes`() async throws {
    let set = try await set(["where": "1=1", "outFields": "*", "f": "json"])
    #expect(set.features.count == 35)
    #expect(set.objectIDField == "OBJECTID")
    #expect(set.spatialReference?.isWebMercator == true)
    #expect(set.features.allSatisfy { $0.geometry?.type == .point })
    #expect(!set.exceedsTransferLimit)
  }

  @Test func `Pages join to the whole`() async throws {
    let client = try ServiceClient()
    var ids: [Int64] = []
    var hasMore = true
    while hasMore {
      let json = try await client.json(
        Self.towns,
        [
          "where": "1=1", "f": "json", "resultOffset": "\(ids.count)",
          "resultRecordCount": "5", "orderByFields": "OBJECTID",
        ])
      let page = try #require(FeatureSet(json: json))
      ids += page.features.map(\.objectID)
      hasMore = page.exceedsTransferLimit
    }
    #expect(ids == Array(1...35))
  }

  @Test func `A page is the same however it is found`() async throws {
    let client = try ServiceClient()
    let path = "/arcgis/rest/services/Soundings/FeatureServer/0/query"
    let direct = try await client.json(
      path, ["where": "1=1", "resultOffset": "700", "resultRecordCount": "100", "outFields": "*"])
    let filtered = try await client.json(
      path,
      [
        "where": "OBJECTID > 0", "resultOffset": "700", "resultRecordCount": "100",
        "outFields": "*", "orderByFields": "OBJECTID ASC",
      ])
    #expect(direct == filtered)
    #expect(direct["features"]?[0]?["attributes"]?["OBJECTID"]?.int == 701)
    #expect(direct["exceededTransferLimit"]?.bool == true)
    let last = try await client.json(path, ["where": "", "objectIds": "1200,1201"])
    #expect(last["features"]?.array?.count == 1)
    let beyond = try await client.json(path, ["where": "1 = 1", "resultOffset": "5000"])
    #expect(beyond["features"]?.array?.isEmpty == true)
  }

  @Test func `A service without pages refuses them, and gives all ids`() async throws {
    let client = try ServiceClient()
    let first = try await client.json(Self.old, ["where": "1=1", "f": "json"])
    #expect(first["exceededTransferLimit"]?.bool == true)
    #expect(first["features"]?.array?.count == 10)
    let refused = try await client.json(
      Self.old, ["where": "1=1", "resultOffset": "10", "f": "json"])
    #expect(refused["error"]?["details"]?[0]?.string == "Pagination is not supported.")
    let ids = try await client.json(Self.old, ["where": "1=1", "returnIdsOnly": "true"])
    #expect(ids["objectIds"]?.array?.count == 35)
    let none = try await client.json(Self.old, ["where": "1=0", "returnIdsOnly": "True"])
    #expect(none["objectIds"] == .null)
    let some = try await client.json(Self.old, ["objectIds": "3, 31,999", "outFields": "NAME"])
    #expect(some["features"]?.array?.count == 2)
  }

  @Test func `Counts and extents count what matches`() async throws {
    let client = try ServiceClient()
    let clause = "KIND = 'city' AND POPULATION > 20000"
    let count = try await client.json(
      Self.towns, ["where": clause, "returnCountOnly": "true", "f": "json"])
    let extent = try await client.json(
      Self.towns, ["where": clause, "returnExtentOnly": "true", "outSR": "4326", "f": "json"])
    #expect((count["count"]?.int ?? 0) > 0)
    #expect(count["count"] == extent["count"])
    let box = try Envelope(esriJSON: try #require(extent["extent"]))
    #expect(Envelope(xMin: -72, yMin: 42, xMax: -66, yMax: 48).contains(box))
    let empty = try await client.json(
      Self.towns, ["where": "1=0", "returnExtentOnly": "true", "f": "json"])
    #expect(empty["extent"]?["xmin"]?.string == "NaN")
  }

  @Test(arguments: [
    "-7900000,5300000,-7700000,5500000", " -7900000.0, 5300000.0, -7700000.0, 5500000.0",
    #"{"xmin":-7900000,"ymin":5300000,"xmax":-7700000,"ymax":5500000}"#,
  ])
  func `A box finds what lies in it, however it is written`(_ box: String) async throws {
    let found = try await set(["geometry": box, "geometryType": "esriGeometryEnvelope"])
    let all = try await set(["where": "1=1"])
    let wanted = Envelope(xMin: -7_900_000, yMin: 5_300_000, xMax: -7_700_000, yMax: 5_500_000)
    let expected = all.features.filter { $0.geometry?.intersects(wanted) ?? false }
    #expect(!expected.isEmpty)
    #expect(found.features.map(\.objectID) == expected.map(\.objectID))
  }

  @Test func `A shape in degrees is projected to the layer's reference`() async throws {
    let parks = "\(ServiceClient.maine)/2/query"
    let point = #"{"x":-68.2,"y":44.35,"spatialReference":{"wkid":4326}}"#
    let near = try await set(
      parks,
      [
        "geometry": point, "geometryType": "esriGeometryPoint", "distance": "20",
        "units": "esriSRUnit_Kilometer", "outFields": "NAME",
      ])
    #expect(near.features.contains { $0.attributes["NAME"] == .text("Acadia National Park") })
    let far = try await set(
      parks,
      [
        "geometry": point, "geometryType": "esriGeometryPoint",
        "spatialRel": "esriSpatialRelDisjoint",
      ])
    let all = try await set(parks, ["where": "1=1"])
    #expect(far.features.count < all.features.count)
  }

  @Test func `GeoJSON is in degrees unless asked otherwise`() async throws {
    let json = try await ServiceClient().json(
      Self.towns,
      [
        "where": "1=1", "outFields": "*", "f": "geojson", "resultRecordCount": "3",
        "geometryPrecision": "4",
      ])
    #expect(json["features"]?.array?.count == 3)
    #expect(json["properties"]?["exceededTransferLimit"]?.bool == true)
    let x = try #require(json["features"]?[0]?["geometry"]?["coordinates"]?[0]?.double)
    #expect((-72 ..< -66).contains(x))
    #expect((x * 10000).rounded() / 10000 == x)
    #expect(json["features"]?[0]?["id"]?.int == 1)
  }

  @Test func `Order, distinct values and statistics`() async throws {
    let client = try ServiceClient()
    let ordered = try await set([
      "where": "1=1", "orderByFields": "POPULATION DESC", "outFields": "POPULATION",
      "resultRecordCount": "4",
    ])
    let numbers = ordered.features.compactMap { $0.attributes["POPULATION"]?.number }
    #expect(numbers.count == 4)
    #expect(numbers == numbers.sorted(by: >))
    let kinds = try await client.json(
      Self.towns,
      [
        "where": "1=1", "outFields": "KIND", "returnDistinctValues": "true",
        "returnGeometry": "false", "orderByFields": "KIND",
      ])
    #expect(
      kinds["features"]?.array?.compactMap { $0["attributes"]?["KIND"]?.string }
        == ["capital", "city", "town"])
    let statistics = try await client.json(
      Self.towns,
      [
        "where": "1=1",
        "outStatistics":
          #"[{"statisticType":"max","onStatisticField":"POPULATION","outStatisticFieldName":"M"}]"#,
      ])
    #expect(statistics["features"]?[0]?["attributes"]?["M"]?.double == numbers[0])
  }

  @Test func `Whole numbers on a grid say the same as the shapes`() async throws {
    let client = try ServiceClient()
    let parks = "\(ServiceClient.maine)/2/query"
    let exact = try await client.json(parks, ["objectIds": "1"])
    let json = try await client.json(
      parks,
      [
        "objectIds": "1",
        "quantizationParameters":
          #"{"mode":"edit","originPosition":"upperLeft","tolerance":0.5,"extent":{"xmin":-8000000,"ymin":5000000,"xmax":-7000000,"ymax":6000000}}"#,
      ])
    #expect(json["transform"]?["originPosition"]?.string == "upperLeft")
    let ring = try #require(json["features"]?[0]?["geometry"]?["rings"]?[0]?.array)
    let wanted = try #require(exact["features"]?[0]?["geometry"]?["rings"]?[0]?.array)
    #expect(ring.count == wanted.count)
    var (x, y) = (0.0, 0.0)
    for (delta, vertex) in zip(ring, wanted) {
      x += delta[0]?.double ?? .nan
      y += delta[1]?.double ?? .nan
      #expect(abs(-8_000_000 + x * 0.5 - (vertex[0]?.double ?? 0)) <= 0.25)
      #expect(abs(6_000_000 - y * 0.5 - (vertex[1]?.double ?? 0)) <= 0.25)
    }
  }

  @Test(arguments: [
    ["f": "json"], ["where": "NOWHERE = 1"], ["where": "((("], ["where": "1=1", "outFields": "NO"],
    ["where": "1=1", "geometry": "{"], ["where": "1=1", "geometry": "1,2,3"],
    ["where": "1=1", "outSR": "123456789"], ["where": "1=1", "objectIds": "a"],
    ["where": "1=1", "orderByFields": "NO"], ["where": "1=1", "outStatistics": "[{}]"],
    ["where": "1=1", "spatialRel": "near", "geometry": "1,2"],
  ])
  func `An invalid request is a bad request`(_ parameters: [String: String]) async throws {
    let query = parameters.map { name, value in
      "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }
    let answer = try await ServiceClient().json(
      "\(Self.towns)?\(query.joined(separator: "&"))")
    #expect(answer["error"]?["code"]?.int == 400)
  }

  @Test func `Related rows come by the row they belong to`() async throws {
    let json = try await ServiceClient().json(
      "\(ServiceClient.maine)/1/queryRelatedRecords",
      ["objectIds": "1,2,3,4,5,6,7,8", "relationshipId": "0", "outFields": "*", "f": "json"])
    let groups = try #require(json["relatedRecordGroups"]?.array)
    #expect(!groups.isEmpty)
    #expect(groups.allSatisfy { !($0["relatedRecords"]?.array ?? []).isEmpty })
    #expect(json["fields"]?.array?.contains { $0["name"]?.string == "EVENT" } == true)
    #expect(json["geometryType"] == nil)
  }
}
