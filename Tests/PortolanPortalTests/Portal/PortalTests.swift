import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct PortalTests {
  let id = "0123456789abcdef0123456789abcdef"

  private func portal(_ transport: StubTransport) -> Portal { RecordedBody.portal(transport) }

  @Test func `A portal is asked about itself`() async throws {
    let transport = StubTransport { .json(#"{"isPortal":true,"user":{"username":"a"}}"#, to: $0) }
    let info = try await portal(transport).info()
    #expect(info.isPortal && info.user?.username == "a")
    #expect(
      transport.requests.first?.url.absoluteString
        == "https://www.example.com/sharing/rest/portals/self?f=json")
  }

  @Test(arguments: [
    "{}", #"{"currentVersion":11}"#, "[]", "plain text", "",
    #"{"error":{"code":404,"message":"Not found"}}"#,
  ])
  func `A URL without a portal is reported as such`(_ body: String) async {
    let transport = StubTransport { .json(body, headers: [:], to: $0) }
    await #expect(throws: PortalError.notAPortal("https://www.example.com")) {
      try await portal(transport).info()
    }
  }

  @Test func `A basemap host has its export host`() throws {
    let json = try JSONValue(
      parsing: """
        {"isPortal":false,"helperServices":{"packaging":{"url":"https://p.example/GPServer",
        "maxMapAreaItemsLimit":16,"exportTilesMap":[
        {"source":"services.arcgisonline.com","export":"https://tiledbasemaps.arcgis.com/x"},
        {"source":7}, null]}}}
        """)
    let packaging = try #require(PortalInfo(json: json)?.helperServices.packaging)
    let url = try #require(URL(string: "https://Services.ArcGISOnline.com/a/MapServer"))
    #expect(
      packaging.exportURL(for: url).absoluteString
        == "https://tiledbasemaps.arcgis.com/a/MapServer")
    let other = try #require(URL(string: "https://other.example/a"))
    #expect(packaging.exportURL(for: other) == other)
  }

  @Test func `A search names the kinds and keeps only exact ones`() async throws {
    let transport = StubTransport { request in
      .json(
        """
        {"total":3,"start":1,"num":2,"nextStart":3,"results":[
        {"id":"a","type":"Web Map"},{"id":"b","type":"Web Mapping Application"},{"type":"Web Map"},
        {"id":"c","type":"web map"}]}
        """, to: request)
    }
    let parameters = PortalQueryParameters(
      query: "water  OR sewer", kinds: [.webMap, .mobileMapPackage],
      boundingBox: Envelope(xMin: -1, yMin: -2, xMax: 3, yMax: 4), categories: ["/A", "/B"],
      sortField: .averageRating, sortOrder: .descending, startIndex: -4, limit: 1000)
    let found = try await portal(transport).findItems(parameters)
    #expect(found.results.map(\.id.text) == ["a", "c"])
    #expect(found.totalCount == 3)
    #expect(found.nextParameters?.startIndex == 3)
    #expect(
      transport.requests.first?.parameters == [
        "f": "json", "start": "1", "num": "100", "sortField": "avgrating", "sortOrder": "desc",
        "bbox": "-1.0,-2.0,3.0,4.0", "categories": "/A,/B",
        "q": "(water OR sewer) AND ((type:\"web map\" NOT type:\"web mapping application\") OR "
          + "type:\"mobile map package\")",
      ])
  }

  @Test(arguments: [
    (1, 11, 11), (1, -1, nil), (1, 1, nil), (20, 5, nil), (9981, 9991, 9991), (9990, 10_000, nil),
    (9991, 10_001, nil), (9991, 9999, 9999),
  ])
  func `Paging leads on, or ends`(_ start: Int, _ next: Int, _ expected: Int?) async throws {
    let transport = StubTransport { request in
      .json(#"{"total":-1,"nextStart":\#(next),"results":[{"id":"a"}]}"#, to: request)
    }
    let parameters = PortalQueryParameters(query: "x", startIndex: start)
    let found = try await portal(transport).findItems(parameters)
    #expect(found.nextParameters?.startIndex == expected)
    #expect(found.isCut == (next >= 10_000))
    #expect(found.totalCount == nil)
  }

  @Test(arguments: [
    (1, 100, "100"), (9899, 100, "100"), (9900, 100, "100"), (9901, 100, "99"),
    (9999, 20, "1"), (10_000, 20, nil), (10_001, 1, nil), (Int.max, 1, nil),
  ])
  func `No page is requested that a portal refuses since it is too far behind`(
    _ start: Int, _ limit: Int, _ count: String?
  ) async throws {
    let transport = StubTransport { .json(#"{"total":20000,"results":[{"id":"a"}]}"#, to: $0) }
    let found = try await portal(transport).findItems(
      PortalQueryParameters(query: "x", startIndex: start, limit: limit))
    #expect(transport.requests.map { $0.parameters["num"] } == (count.map { [$0] } ?? []))
    #expect(found.results.isEmpty == (count == nil) && found.isCut == (count == nil))
    #expect(found.nextParameters == nil)
  }

  @Test(arguments: ["", "  "]) func `A search for everything never sends an empty query`(
    _ words: String
  ) async throws {
    let transport = StubTransport { .json(#"{"results":[]}"#, to: $0) }
    _ = try await portal(transport).findItems(PortalQueryParameters(query: words))
    _ = try await portal(transport).findGroups(PortalQueryParameters(query: words))
    #expect(transport.requests.map { $0.parameters["q"]?.isEmpty } == [false, false])
  }

  @Test func `The items of a group are searched for`() async throws {
    let transport = StubTransport { .json(#"{"results":[]}"#, to: $0) }
    _ = try await portal(transport).items(of: PortalItem.ID(id))
    #expect(transport.requests.first?.parameters["q"] == "group:\(id)")
  }

  @Test func `Related items are asked for by both names and in pages`() async throws {
    let transport = StubTransport { request in
      let isFirst = request.parameters["start"] == "1"
      return .json(
        isFirst
          ? #"{"total":2,"nextStart":2,"relatedItems":[{"id":"a"}]}"#
          : #"{"total":2,"nextStart":2,"relatedItems":[{"id":"b"}]}"#, to: request)
    }
    let items = try await portal(transport).relatedItems(
      to: PortalItem.ID(id), through: .areaToPackage, direction: .reverse)
    #expect(items.map(\.id.text) == ["a", "b"])
    let parameters = try #require(transport.requests.first?.parameters)
    #expect(parameters["relationshipType"] == "Area2Package")
    #expect(parameters["relationshipTypes"] == "Area2Package")
    #expect(parameters["direction"] == "reverse")
  }

  @Test(arguments: [(9999, true), (10_000, false), (1 << 40, false)])
  func `A list that is longer than portals page is none that is complete`(
    _ next: Int, _ isComplete: Bool
  ) async throws {
    let transport = StubTransport { request in
      let following = request.parameters["start"] == "1" ? next : -1
      return .json(
        #"{"total":-1,"nextStart":\#(following),"relatedItems":[{"id":"a"}]}"#,
        to: request)
    }
    let portal = portal(transport)
    let id = try PortalItem.ID(id)
    guard !isComplete else {
      let items = try await portal.relatedItems(to: id, through: .mapToArea)
      #expect(items.count == 2)
      return
    }
    let error = await #expect(throws: PortalError.self) {
      try await portal.relatedItems(to: id, through: .mapToArea)
    }
    #expect(error?.errorDescription?.contains("9999") == true)
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: ["", "../../secrets", "a//b", "a/./b", "a\u{0}b", "a\\b"])
  func `A name of a server's making does not lead out of its folder`(_ name: String) async throws {
    let transport = StubTransport { .json("{}", to: $0) }
    let portal = portal(transport)
    let json: JSONValue = ["id": .string(id), "thumbnail": .string(name)]
    let item = try #require(PortalItem(json: json))
    if item.thumbnail != nil {
      await #expect(throws: PortalError.self) { try await portal.thumbnail(of: item) }
    } else {
      #expect(try await portal.thumbnail(of: item) == nil)
    }
    await #expect(throws: PortalError.self) { try await portal.user(name) }
    #expect(transport.requests.isEmpty)
  }

  @Test func `Names are escaped where they go into a path`() async throws {
    let transport = StubTransport { .data(Data([1]), to: $0) }
    let item = try #require(
      PortalItem(json: ["id": .string(id), "thumbnail": "thumb nail/ä?.png"]))
    #expect(try await portal(transport).thumbnail(of: item, width: 400) == Data([1]))
    #expect(
      transport.requests.first?.url.absoluteString
        == "https://www.example.com/sharing/rest/content/items/\(id)/info/thumb%20nail/"
        + "%C3%A4%3F.png?w=400")
  }

  @Test func `An item without data has none`() async throws {
    let transport = StubTransport { .data(Data(), to: $0) }
    #expect(try await portal(transport).json(of: PortalItem.ID(id)) == nil)
    let damaged = StubTransport { .json(#"{"a":"#, to: $0) }
    await #expect(throws: PortalError.self) {
      try await portal(damaged).json(of: PortalItem.ID(id))
    }
  }

  @Test(arguments: [#"{"id":"../../../maps/b/p13/x"}"#, #"{"id":"b","title":"Another"}"#, "{}"])
  func `An item with another id than the one asked for is refused`(_ answer: String) async throws {
    let transport = StubTransport { .json(answer, to: $0) }
    let id = try PortalItem.ID("a")
    await #expect {
      try await portal(transport).item(id)
    } throws: { error in
      guard case .unexpected = error as? PortalError else { return false }
      return true
    }
  }

  @Test func `A list with an id that could name a path is refused, not shortened`() async throws {
    let list = #"[{"id":"a"},{"id":"../../../maps/b/p13/x"}]"#
    let transport = StubTransport { request in
      .json(#"{"total":2,"relatedItems":\#(list),"results":\#(list)}"#, to: request)
    }
    let portal = portal(transport)
    let id = try PortalItem.ID(id)
    await #expect(throws: PortalError.self) {
      try await portal.relatedItems(to: id, through: .areaToPackage)
    }
    await #expect(throws: PortalError.self) {
      try await portal.findItems(PortalQueryParameters(query: "x"))
    }
  }
}
