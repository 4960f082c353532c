import Foundation
import PortolanJSON
import PortolanTransport
import Testing

@testable import DemoPortal

/// Requirements of real portals, so that mistakes of clients are found here already.
@Suite struct StrictnessTests {
  private static let service = "/arcgis/rest/services/ExploreMaine/FeatureServer"

  /// The answer to a request as it is, without `f=json` and with a method of choice.
  private func answer(
    _ bed: PortalBed, _ method: HTTPRequest.Method, _ target: String, headers: HTTPHeaders = [:]
  ) async throws -> DemoResponse {
    await bed.portal.answer(
      DemoRequest(
        method: method, base: try #require(URL(string: PortalBed.base)), target: target,
        headers: headers))
  }

  private func code(_ response: DemoResponse) throws -> Int? {
    try JSONValue(parsing: response.data)["error"]?["code"]?.int
  }

  @Test(arguments: ["/sharing/rest/portals/self", service, service + "/0", "/arcgis/rest/services"])
  func `Without a format the answer is a page`(_ path: String) async throws {
    let bed = try await PortalBed()
    let page = try await answer(bed, .get, path)
    #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true)
    let document = try await answer(bed, .get, path + "?f=json")
    #expect(try JSONValue(parsing: document.data)["error"] == nil)
  }

  @Test(arguments: [
    service + "/1/applyEdits?f=json&deletes=1", service + "/applyEdits?f=json&edits=[]",
    service + "/1/deleteFeatures?f=json&where=1=1", service + "/1/1/deleteAttachments?f=json",
    "/sharing/rest/generateToken?f=json&username=demo&password=demo&client=requestip",
  ])
  func `What changes something, or holds a password, is posted`(_ target: String) async throws {
    let bed = try await PortalBed()
    #expect(try code(try await answer(bed, .get, target)) == 405)
  }

  @Test func `A token for a referer names it, and tokens are for servers of this portal`()
    async throws
  {
    let bed = try await PortalBed()
    let form = [("username", "demo"), ("password", "demo"), ("client", "referer")]
    let without = try await bed.json("/sharing/rest/generateToken", form: form)
    #expect(without["error"]?["code"]?.int == 400)
    let with = try await bed.json(
      "/sharing/rest/generateToken", form: form + [("referer", "https://a.example")])
    #expect(with["token"]?.string != nil)
    let elsewhere = try await bed.json(
      "/sharing/rest/generateToken",
      form: [("serverUrl", "https://other.example/arcgis"), ("token", await bed.token())])
    #expect(elsewhere["error"] != nil)
  }

  @Test func `A search has a question`() async throws {
    let bed = try await PortalBed()
    #expect(try await bed.json("/sharing/rest/search?q=")["error"]?["code"]?.int == 400)
    #expect(try await bed.json("/sharing/rest/search?q=maine")["error"] == nil)
  }

  @Test func `Users are shown to signed-in users`() async throws {
    let bed = try await PortalBed()
    let path = "/sharing/rest/community/users/viewer"
    #expect(try await bed.json(path)["error"] != nil)
    #expect(try await bed.json(path, token: bed.token())["username"] == "viewer")
  }

  @Test func `An item without access is distinguished from one that does not exist`()
    async throws
  {
    let bed = try await PortalBed()
    let id = try await bed.id("Notes of the survey", "CSV")
    let hidden = try await bed.json("/sharing/rest/content/items/\(id)")
    #expect(hidden["error"]?["messageCode"] == "GWM_0003")
    let absent = try await bed.json(
      "/sharing/rest/content/items/00000000000000000000000000000000")
    #expect(absent["error"]?["messageCode"] == "CONT_0001")
  }

  @Test func `A service lists its relations whole, and several layers answer at once`()
    async throws
  {
    let bed = try await PortalBed()
    let root = try await bed.json(Self.service)
    for relation in root["relationships"]?.array ?? [] {
      #expect(relation["originLayerId"]?.int != nil && relation["destinationLayerId"]?.int != nil)
      #expect(relation["cardinality"]?.string?.hasPrefix("esriRelCardinality") == true)
    }
    let layers = PortalBed.encoded(#"{"0": "KIND = 'city'", "1": "1=1"}"#)
    let found = try await bed.json(Self.service + "/query?layerDefs=\(layers)")
    #expect(found["layers"]?.array?.compactMap { $0["id"]?.int } == [0, 1])
    #expect(found["layers"]?[0]?["features"]?.array?.isEmpty == false)
    let counts = try await bed.json(
      Self.service + "/query?returnCountOnly=true&layerDefs=0:1=1;1:1=1")
    #expect((counts["layers"]?[1]?["count"]?.int ?? 0) > 0)
  }

  @Test func `Features of a layer with time are found by when they happened`() async throws {
    let bed = try await PortalBed()
    let layer = "/arcgis/rest/services/Soundings/FeatureServer/0"
    let info = try await bed.json(layer)["timeInfo"]
    #expect(info?["startTimeField"] == "TAKEN")
    let start = try #require(info?["timeExtent"]?[0]?.integer)
    let query = layer + "/query?where=1=1&returnCountOnly=true&time="
    #expect(try await bed.json(query + "\(start)")["count"]?.int == 1)
    #expect(try await bed.json(query + "\(start),\(start + 120_000)")["count"]?.int == 3)
    #expect(try await bed.json(query + "null,\(start)")["count"]?.int == 1)
  }

  @Test func `The first features of each group are found, and percentiles`() async throws {
    let bed = try await PortalBed()
    let filter = PortalBed.encoded(
      #"{"groupByFields":"KIND","topCount":1,"orderByFields":"POPULATION DESC"}"#)
    let top = Self.service + "/0/queryTopFeatures?where=POPULATION+%3E+0&topFilter="
    let found = try await bed.json(top + filter + "&outFields=KIND,POPULATION")
    let rows = (found["features"]?.array ?? []).compactMap { $0["attributes"]?.object }
    let kinds = rows.compactMap { $0["KIND"]?.string }
    #expect(kinds.count > 1 && Set(kinds).count == kinds.count)
    let most = rows.compactMap { $0["POPULATION"]?.double }.max() ?? 0
    let statistics = [("DISC", "most", "1"), ("CONT", "half", "0.5")].map { kind, name, value in
      #"{"statisticType":"PERCENTILE_\#(kind)","onStatisticField":"POPULATION","#
        + #""outStatisticFieldName":"\#(name)","statisticParameters":{"value":\#(value)}}"#
    }
    let values = try await bed.json(
      Self.service + "/0/query?where=POPULATION+%3E+0&outStatistics="
        + PortalBed.encoded("[" + statistics.joined(separator: ",") + "]"))
    let row = values["features"]?[0]?["attributes"]
    #expect(most > 0 && row?["most"]?.double == most)
    let half = row?["half"]?.double ?? 0
    #expect(half > 0 && half < most)
    let count = try await bed.json(top + filter + "&returnCountOnly=true")
    #expect(count["count"]?.int == rows.count)
    let refused = try await bed.json(top + "%7B%7D")
    #expect(refused["error"]?["code"]?.int == 400)
  }

  @Test func `The default vector basemap names its style, which names the service`() async throws {
    let bed = try await PortalBed()
    let map = try await bed.json("/sharing/rest/portals/self")["defaultVectorBasemap"]
    let layer = try #require(map?["baseMapLayers"]?[0])
    #expect(layer["url"] == nil && layer["itemId"]?.string != nil)
    let address = try #require(layer["styleUrl"]?.string)
    let style = try await bed.json(String(address.dropFirst(PortalBed.base.count)))
    let url = try #require(style["sources"]?["esri"]?["url"]?.string)
    #expect(url.hasPrefix(PortalBed.base) && url.hasSuffix("VectorTileServer"))
  }

  @Test func `A page of another origin may read answers`() async throws {
    let bed = try await PortalBed()
    let request = DemoRequest(
      base: try #require(URL(string: PortalBed.base)), target: Self.service + "?f=json",
      headers: ["Origin": "https://app.example"])
    let delivery = await bed.portal.deliver(request)
    #expect(delivery.headers["Access-Control-Allow-Origin"] == "https://app.example")
  }

  @Test func `Two products serve the same layers each in its way`() async throws {
    let bed = try await PortalBed()
    let path = "rest/services/ExploreMaine/FeatureServer"
    let enterprise = try await bed.json("/enterprise/\(path)")
    let online = try await bed.json("/online/\(path)")
    #expect(enterprise["currentVersion"]?.double == 10.91)
    #expect(online["currentVersion"]?.double == 12)
    #expect(enterprise["syncCapabilities"]?["supportsSyncModelNone"] == nil)
    #expect(online["syncCapabilities"]?["supportsSyncModelNone"] == true)
    let query = "/1/query?where=1=1&outFields=*&resultRecordCount=1"
    func id(_ root: String) async throws -> String? {
      try await bed.json("/\(root)/\(path)\(query)")["features"]?[0]?["attributes"]?["GlobalID"]?
        .string
    }
    #expect(try await id("enterprise")?.hasPrefix("{") == true)
    #expect(try await id("online")?.hasPrefix("{") == false)
    let none = "/1/query?where=1=2&returnIdsOnly=true"
    #expect(try await bed.json("/enterprise/\(path)\(none)")["objectIds"] == .null)
    #expect(try await bed.json("/online/\(path)\(none)")["objectIds"]?.array == [])
    let pbf = try await bed.json("/enterprise/\(path)/1/query?where=1=1&f=pbf")
    #expect(pbf["error"]?["code"]?.int == 400)
    let places = "/0/query?where=1=1&resultRecordCount=1&f=geojson"
    let marked = try await bed.json("/enterprise/\(path)\(places)")
    #expect(marked["exceededTransferLimit"] == true && marked["properties"] == nil)
    #expect(
      try await bed.json("/online/\(path)\(places)")["properties"]?["exceededTransferLimit"] == true
    )
  }
}
