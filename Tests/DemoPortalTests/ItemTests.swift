import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct ItemTests {
  private static let items = "/sharing/rest/content/items/"

  @Test func `Explore Maine is a web map whose layers come from this portal`() async throws {
    let bed = try await PortalBed()
    let id = try await bed.id("Explore Maine", "Web Map")
    let map = try WebMap(json: await bed.json(Self.items + id + "/data?f=json"))
    let urls = map.allLayers.compactMap(\.url)
    #expect(urls.count >= 8)
    #expect(urls.allSatisfy { $0.hasPrefix(PortalBed.base) })
    #expect(urls.contains { $0.contains("/secured/") })
    #expect(map.allLayers.allSatisfy { $0.path == nil })
  }

  @Test func `Its areas are followed to their packages`() async throws {
    let bed = try await PortalBed()
    let id = try await bed.id("Explore Maine", "Web Map")
    let areas = try await bed.json(
      Self.items + id + "/relatedItems",
      form: [("relationshipTypes", "Map2Area"), ("direction", "forward"), ("num", "100")])
    let statuses = (areas["relatedItems"]?.array ?? []).map {
      $0["properties"]?["status"]?.string ?? ""
    }
    #expect(statuses.sorted() == ["complete", "complete", "complete", "failed", "processing"])
    for area in areas["relatedItems"]?.array ?? [] {
      let related = Self.items + (area["id"]?.string ?? "") + "/relatedItems"
      let packages = try await bed.json(
        related + "?relationshipType=Area2Package&direction=forward")
      #expect(packages["total"] == (area["properties"]?["status"] == "complete" ? 2 : 0))
      let back = try await bed.json(related + "?relationshipType=Map2Area&direction=reverse")
      #expect(back["relatedItems"]?[0]?["id"] == .string(id))
      let polygon = try await bed.json(
        Self.items + (area["id"]?.string ?? "") + "/resources/area/geometry-1773576000.json")
      #expect(polygon["polygon"]?["rings"]?[0]?.array?.count == 5)
    }
  }

  @Test func `The package of an area is a geodatabase that names its service`() async throws {
    let bed = try await PortalBed()
    let area = try await bed.id("Casco Bay", "Map Area")
    let packages = try await bed.json(
      Self.items + area + "/relatedItems?relationshipType=Area2Package&direction=forward")
    let package = try #require(
      packages["relatedItems"]?.array?.first { $0["type"] == "SQLite Geodatabase" })
    #expect(package["properties"]?["url"]?.string?.hasPrefix(PortalBed.base) == true)
    let response = try await bed.answer(Self.items + (package["id"]?.string ?? "") + "/data")
    #expect(try response.data.prefix(15) == Data("SQLite format 3".utf8))
    #expect(response.headers["Content-Disposition"]?.contains(".geodatabase") == true)
    #expect(try response.data.range(of: Data((PortalBed.base + "/arcgis").utf8)) != nil)
    await bed.state.removeFiles()
  }

  @Test(.temporaryDirectory)
  func `The mapbook is a package with three maps and all their data`() async throws {
    let bed = try await PortalBed()
    let id = try await bed.id("Naperville Water Company Mapbook", "Mobile Map Package")
    let response = try await bed.answer(Self.items + id + "/data")
    let url = temporaryDirectory.appending(path: "book.mmpk")
    try response.data.write(to: url)
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory, now: Date(),
      editing: EditingEnvironment(now: { Date() }, makeID: { UUID() }))
    #expect(package.maps.count == 3)
    await bed.state.removeFiles()
  }

  @Test func `Data arrives in parts, and again when it has changed`() async throws {
    let bed = try await PortalBed()
    let id = try await bed.id("Explore Maine", "Web Map")
    let transport = InProcessTransport(bed.portal)
    var request = HTTPRequest(try #require(URL(string: PortalBed.base + Self.items + id + "/data")))
    let whole = try await transport.send(request)
    let tag = try #require(whole.headers["ETag"])
    request.headers["Range"] = "bytes=100-"
    request.headers["If-Range"] = tag
    let part = try await transport.send(request)
    #expect(part.status == 206)
    #expect(part.body == whole.body.dropFirst(100))
    #expect(
      part.headers["Content-Range"] == "bytes 100-\(whole.body.count - 1)/\(whole.body.count)")
    await bed.state.add(DemoFault(.newVersion))
    #expect(try await transport.send(request).status == 200)
    await bed.state.removeFaults()
    await bed.state.add(DemoFault(.noRanges))
    #expect(try await transport.send(request).status == 200)
    await bed.state.removeFaults()
    request.headers["Range"] = "bytes=9999999-"
    #expect(try await transport.send(request).status == 416)
  }

  @Test func `Files may come from another address, without credentials`() async throws {
    let bed = try await PortalBed()
    let id = try await bed.id("Naperville Water Company Mapbook", "Mobile Map Package")
    await bed.state.setStorage(URL(string: "https://storage.test:99"))
    let first = try await bed.answer(Self.items + id + "/data")
    #expect(first.status == 302)
    #expect(first.headers["Location"]?.hasPrefix("https://storage.test:99/demo/storage/") == true)
    let url = try #require(URL(string: PortalBed.base + Self.items + id + "/data"))
    let data = try await InProcessTransport(bed.portal).send(HTTPRequest(url)).body
    #expect(data.prefix(2) == Data("PK".utf8))
    let forged = try await bed.answer("/demo/storage/\(id)/x?signature=0")
    #expect(forged.status == 403)
    await bed.state.removeFiles()
  }

  @Test func `A user without access to an item is told so, or that it does not exist`() async throws
  {
    let bed = try await PortalBed()
    let path = Self.items + (try await bed.id("Notes of the survey", "CSV"))
    #expect(try await bed.json(path)["error"]?["messageCode"] == "GWM_0003")
    #expect(try await bed.json(path, token: bed.token("viewer"))["error"]?["code"] == 403)
    #expect(try await bed.json(path, token: bed.token())["title"] == "Notes of the survey")
    #expect(try await bed.json(Self.items + "0")["error"]?["code"] == 400)
  }

  @Test func `A thumbnail is a picture`() async throws {
    let bed = try await PortalBed()
    let id = try await bed.id("Casco Bay", "Map Area")
    let item = try await bed.json(Self.items + id)
    let name = try #require(item["thumbnail"]?.string)
    let response = try await bed.answer(Self.items + id + "/info/" + name)
    #expect(try response.data.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func `A new thumbnail leaves the data of an item as they are`() async throws {
    let bed = try await PortalBed()
    let token = await bed.token()
    let user = "/sharing/rest/content/users/demo"
    let added = try await bed.json(
      user + "/addItem", form: [("type", "CSV"), ("title", "New"), ("text", "a,b")], token: token)
    let id = try #require(added["id"]?.string)
    let body = """
      --x\r\nContent-Disposition: form-data; name="thumbnail"; filename="a.png"\r
      Content-Type: image/png\r\n\r\nPICTURE\r\n--x--\r\n
      """
    _ = await bed.portal.answer(
      DemoRequest(
        method: .post, base: try #require(URL(string: PortalBed.base)),
        target: user + "/items/\(id)/update?token=\(token)",
        headers: ["Content-Type": "multipart/form-data; boundary=x"], body: Data(body.utf8)))
    let data = try await bed.answer(Self.items + id + "/data", token: token)
    #expect(try data.text == "a,b")
    let thumbnail = try await bed.answer(
      Self.items + id + "/info/thumbnail/thumbnail.png", token: token)
    #expect(try thumbnail.text == "PICTURE")
  }

  @Test func `The information of an item names the address of the portal`() async throws {
    let bed = try await PortalBed()
    let area = try await bed.id("Casco Bay", "Map Area")
    let related = try await bed.json(
      Self.items + area + "/relatedItems?relationshipType=Area2Package&direction=forward")
    let id = try #require(related["relatedItems"]?[0]?["id"]?.string)
    let text = try await bed.answer(Self.items + id + "/info/iteminfo.xml").text
    #expect(!text.contains("{base}") && text.contains("ReferenceURL#\(PortalBed.base)"))
  }

  @Test func `An item is added in parts, changed, shared and deleted`() async throws {
    let bed = try await PortalBed()
    let token = await bed.token()
    let user = "/sharing/rest/content/users/demo"
    let added = try await bed.json(
      user + "/addItem",
      form: [("type", "CSV"), ("title", "New"), ("multipart", "true"), ("fileName", "a.csv")],
      token: token)
    let id = try #require(added["id"]?.string)
    for (number, text) in [("2", "two"), ("1", "one,")] {
      _ = await bed.portal.answer(
        DemoRequest(
          method: .post, base: try #require(URL(string: PortalBed.base)),
          target: user + "/items/\(id)/addPart?partNum=\(number)&token=\(token)",
          body: Data(text.utf8)))
    }
    let status = try await bed.json(user + "/items/\(id)/status", token: token)
    #expect(status["status"] == "partial")
    _ = try await bed.json(user + "/items/\(id)/commit", form: [("async", "True")], token: token)
    let data = try await bed.answer(Self.items + id + "/data", token: token)
    #expect(try data.text == "one,two")
    _ = try await bed.json(
      user + "/items/\(id)/update",
      form: [("title", "Newer"), ("tags", "a,b"), ("snippet", ""), ("clearEmptyFields", "True")],
      token: token)
    _ = try await bed.json(user + "/items/\(id)/share", form: [("everyone", "true")], token: token)
    let item = try await bed.json(Self.items + id)
    #expect(item["title"] == "Newer")
    #expect(item["tags"] == ["a", "b"])
    let others = try await bed.json(
      user + "/items/\(id)/delete", form: [("f", "json")], token: bed.token("viewer"))
    #expect(others["error"]?["code"] == 403)
    _ = try await bed.json(user + "/items/\(id)/delete", form: [("f", "json")], token: token)
    #expect(try await bed.json(Self.items + id)["error"]?["code"] == 400)
  }
}

@Suite(.needsSharedFiles) struct RecordedShapeTests {
  @Test(arguments: [
    ("arcgis-rest-js__PortalResponse.json", "/sharing/rest/portals/self?f=json"),
    ("arcgis-rest-js__OrgAdminUserResponse.json", "/sharing/rest/community/users/demo?f=json"),
    ("arcgis-rest-js__AnonUserResponse.json", "/sharing/rest/community/users/viewer?f=json"),
    ("arcgis-rest-js__SearchResponse.json", "/sharing/rest/search?q=maine&f=json"),
    ("terriajs__item.json", "/sharing/rest/content/items/{map}?f=json"),
    ("arcgis-rest-js__RelatedItemsResponse.json", "/sharing/rest/content/items/{map}/relatedItems"),
    (
      "arcgis-rest-js__GetItemResourcesResponse.json", "/sharing/rest/content/items/{map}/resources"
    ),
    ("arcgis-rest-js__GroupSearchResponse.json", "/sharing/rest/community/groups?q=field"),
  ])
  func `An answer has every member that the recorded one has`(
    _ recording: String, _ target: String
  ) async throws {
    let bed = try await PortalBed()
    let id = try await bed.id("Explore Maine", "Web Map")
    let answer = try await bed.json(
      target.replacing("{map}", with: id), token: bed.token())
    let recorded = try JSONValue(
      parsing: SharedFiles.data("fixtures/portal/\(recording)"))
    #expect(missing(from: answer, in: recorded) == [])
  }

  private func missing(from answer: JSONValue, in recorded: JSONValue) -> [String] {
    let names = Set(answer.object?.names ?? [])
    var missing = (recorded.object?.names ?? []).filter { !names.contains($0) }
    if let first = recorded["results"]?[0], let ours = answer["results"]?[0] {
      missing += self.missing(from: ours, in: first)
    }
    return missing
  }
}
