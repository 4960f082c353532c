import DemoPortal
import Foundation
import PortolanJSON
import PortolanTestSupport
import Testing

/// The geocoder over the names of the sample.
@Suite struct GeocodeServiceTests {
  private static let service = "/arcgis/rest/services/MaineLocator/GeocodeServer"

  @Test(.needsSharedFiles) func `Members that a recorded root has too are of the same kind`()
    async throws
  {
    let recorded = try JSONValue(
      parsing: SharedFiles.data("fixtures/geocode/arcgis-rest-js__SharingInfo.json"))
    let root = try await ServiceClient().json(Self.service, ["f": "json"])
    for member in recorded.object?.members ?? [] where member.name != "locators" {
      #expect(root[member.name]?.kind == member.value.kind, "\"\(member.name)\"")
    }
  }

  @Test func `A suggestion leads to its place`() async throws {
    let client = try ServiceClient()
    let answer = try await client.json(
      "\(Self.service)/suggest", ["text": "portland h", "f": "json"])
    let suggestion = try #require(answer["suggestions"]?[0])
    #expect(suggestion["isCollection"]?.bool == false)
    let text = try #require(suggestion["text"]?.string)
    let key = try #require(suggestion["magicKey"]?.string)
    let found = try await client.json(
      "\(Self.service)/findAddressCandidates",
      ["SingleLine": text, "magicKey": key, "outFields": "*"])
    #expect(found["candidates"]?.array?.count == 1)
    let candidate = try #require(found["candidates"]?[0])
    #expect(candidate["address"]?.string?.hasPrefix("Portland Head") == true)
    #expect(candidate["attributes"]?["Addr_type"]?.string == "POI")
    #expect(candidate["score"]?.double == 100)
    #expect(candidate["extent"]?["xmin"]?.double != nil)
  }

  @Test func `A kind of place is a collection with many candidates`() async throws {
    let client = try ServiceClient()
    let answer = try await client.json("\(Self.service)/suggest", ["text": "light"])
    let first = try #require(answer["suggestions"]?[0])
    #expect(first["isCollection"]?.bool == true)
    let key = try #require(first["magicKey"]?.string)
    let found = try await client.json(
      "\(Self.service)/findAddressCandidates",
      ["SingleLine": "Lighthouse", "magicKey": key, "maxLocations": "7"])
    #expect(found["candidates"]?.array?.count == 7)
    let without = try await client.json(
      "\(Self.service)/suggest", ["text": "light", "returnCollections": "false"])
    #expect(
      without["suggestions"]?.array?.allSatisfy { $0["isCollection"]?.bool == false } == true)
  }

  @Test func `Nothing found is an empty list`() async throws {
    let answer = try await ServiceClient().json(
      "\(Self.service)/findAddressCandidates", ["SingleLine": "Timbuktu"])
    #expect(answer["candidates"] == [])
  }

  @Test func `Results come in the reference asked for, and inside the box`() async throws {
    let client = try ServiceClient()
    let mercator = try await client.json(
      "\(Self.service)/findAddressCandidates",
      ["SingleLine": "Portland", "outSR": #"{"wkid":102100}"#, "category": "City"])
    let x = try #require(mercator["candidates"]?[0]?["location"]?["x"]?.double)
    #expect(abs(x + 7_822_000) < 10_000)
    let outside = try await client.json(
      "\(Self.service)/findAddressCandidates",
      ["SingleLine": "Portland", "searchExtent": "-68,44,-67,45"])
    #expect(outside["candidates"] == [])
  }

  @Test func `Many addresses are matched by their ids`() async throws {
    let answer = try await ServiceClient().json(
      "\(Self.service)/geocodeAddresses",
      [
        "addresses":
          #"{"records":[{"attributes":{"OBJECTID":0,"SingleLine":"Bangor"}},{"attributes":{"OBJECTID":1,"SingleLine":"Nowhere"}}]}"#
      ])
    let locations = try #require(answer["locations"]?.array)
    let bangor = locations.first { $0["attributes"]?["ResultID"]?.int == 0 }
    let nowhere = locations.first { $0["attributes"]?["ResultID"]?.int == 1 }
    #expect(bangor?["address"]?.string?.hasPrefix("Bangor") == true)
    #expect(bangor?["attributes"]?["Status"]?.string == "M")
    #expect(nowhere?["attributes"]?["Status"]?.string == "U")
    #expect(nowhere?["location"] == nil)
  }

  @Test func `A place is named, and the sea is not`() async throws {
    let client = try ServiceClient()
    let here = try await client.json(
      "\(Self.service)/reverseGeocode", ["location": "-70.2079,43.6231"])
    #expect(here["address"]?["PlaceName"]?.string == "Portland Head Light")
    let sea = try await client.json(
      "\(Self.service)/reverseGeocode", ["location": #"{"x":-60,"y":40}"#])
    #expect(sea["error"]?["code"]?.int == 400)
    #expect(
      sea["error"]?["details"]?[0]?.string
        == "Unable to find address for the specified location.")
  }

  @Test(arguments: [
    "suggest", "findAddressCandidates", "geocodeAddresses", "reverseGeocode",
    "findAddressCandidates?SingleLine=a&outSR=99999", "suggest?text=a&location=here",
  ])
  func `An invalid request is a bad request`(_ operation: String) async throws {
    let answer = try await ServiceClient().json("\(Self.service)/\(operation)")
    #expect(answer["error"]?["code"]?.int == 400)
  }
}
