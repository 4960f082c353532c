import DemoPortal
import Foundation
import PortolanJSON
import Testing

@Suite struct PackagingTests {
  private static let service = "/arcgis/rest/services/OfflinePackaging/GPServer"

  /// Submits a job and looks at it until it has ended.
  private func job(
    _ task: String, _ form: [(String, String)], on bed: PortalBed, as user: String = "demo"
  ) async throws -> (status: String, value: JSONValue, message: String) {
    let token = await bed.token(user)
    let submitted = try await bed.json(
      "\(Self.service)/\(task)/submitJob", form: form + [("f", "json")], token: token)
    #expect(submitted["jobStatus"] == "esriJobSubmitted")
    let address = "\(Self.service)/\(task)/jobs/\(submitted["jobId"]?.string ?? "")"
    var job = submitted
    for _ in 0..<5 where ["esriJobSubmitted", "esriJobExecuting"].contains(job["jobStatus"]) {
      job = try await bed.json(address + "?f=json", token: token)
    }
    let name = job["results"]?.object?.names.first ?? "none"
    let result = try await bed.json(address + "/results/\(name)", token: token)
    return (
      job["jobStatus"]?.string ?? "", result["value"] ?? .null,
      job["messages"]?[0]?["description"]?.string ?? ""
    )
  }

  private func areaForm(_ bed: PortalBed, _ area: String) async throws -> [(String, String)] {
    [
      ("mapItemId", try await bed.id("Explore Maine", "Web Map")), ("area", area),
      ("areaType", "ENVELOPE"), ("outputName", #"{"title":"New area","tags":"a,b"}"#),
    ]
  }

  @Test(arguments: [
    #"{"name":"Katahdin"}"#,
    #"{"xmin":-70,"ymin":44,"xmax":-69.5,"ymax":44.4,"spatialReference":{"wkid":4326}}"#,
    #"{"rings":[[[-70,44],[-70,45],[-69,45],[-70,44]]],"spatialReference":{"wkid":4326}}"#,
  ])
  func `An area is made, then its packages`(_ area: String) async throws {
    let bed = try await PortalBed()
    let created = try await job("CreateMapArea", areaForm(bed, area), on: bed)
    #expect(created.status == "esriJobSucceeded")
    let id = try #require(created.value.string)
    let item = "/sharing/rest/content/items/" + id
    #expect(try await bed.json(item)["properties"]?["status"] == "processing")
    let tiles = PortalBed.base + "/arcgis/rest/services/MaineBackdrop/MapServer"
    let set = try await job(
      "SetupMapArea",
      [("mapAreaItemId", id), ("tileServices", #"[{"url":"\#(tiles)","levels":"0,1"}]"#)], on: bed)
    #expect(set.value.array?.count == 2)
    #expect(try await bed.json(item)["properties"]?["status"] == "complete")
    let packages = try await bed.json(
      item + "/relatedItems?relationshipType=Area2Package&direction=forward")
    #expect(packages["total"] == 2)
    let package = packages["relatedItems"]?[0]?["id"]?.string ?? ""
    let refreshed = try await job(
      "RefreshMapAreaPackage", [("packages", #"[{"itemId":"\#(package)"}]"#)], on: bed)
    #expect(refreshed.value[0]?["state"] == "unchanged")
  }

  @Test func `A layer that is ignored does not take its service with it`() async throws {
    let bed = try await PortalBed()
    let area = try await job("CreateMapArea", areaForm(bed, #"{"name":"Katahdin"}"#), on: bed)
    let service = "\(PortalBed.base)/arcgis/rest/services/ExploreMaine/FeatureServer"
    for (ignored, count) in [("\(service)/3", 1), (service, 0)] {
      let set = try await job(
        "SetupMapArea",
        [
          ("mapAreaItemId", try #require(area.value.string)),
          ("mapLayersToIgnore", #"["\#(ignored)"]"#),
          ("featureServices", #"[{"url":"\#(service)"}]"#),
        ], on: bed)
      #expect(set.value.array?.count == count)
    }
  }

  @Test func `The same area is not made twice, and a service that cannot sync fails`() async throws
  {
    let bed = try await PortalBed()
    let form = try await areaForm(bed, #"{"name":"Acadia"}"#)
    let first = try await job("CreateMapArea", form, on: bed)
    let second = try await job("CreateMapArea", form, on: bed)
    #expect(second.status == "esriJobFailed")
    #expect(try JSONValue(parsing: second.message)["messageCode"] == "OffPkg_0027")
    let set = try await job(
      "SetupMapArea",
      [
        ("mapAreaItemId", try #require(first.value.string)),
        ("featureServices", #"[{"url":"https://elsewhere.test/FeatureServer"}]"#),
      ], on: bed)
    #expect(set.value[0]?["error"] != nil)
    let item = "/sharing/rest/content/items/\(first.value.string ?? "")"
    #expect(try await bed.json(item)["properties"]?["status"] == "failed")
  }

  @Test(arguments: [
    #"{"name":"Nowhere"}"#, "{}", "[]", "nothing", #"{"xmin":"NaN"}"#, "",
  ])
  func `An invalid area fails`(_ area: String) async throws {
    let bed = try await PortalBed()
    let result = try await job("CreateMapArea", areaForm(bed, area), on: bed)
    #expect(result.status == "esriJobFailed")
  }

  @Test func `Areas are made by the owner of the map only`() async throws {
    let bed = try await PortalBed()
    let form = try await areaForm(bed, #"{"name":"Acadia"}"#)
    #expect(try await job("CreateMapArea", form, on: bed, as: "viewer").status == "esriJobFailed")
  }
}
