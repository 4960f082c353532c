import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct FeaturePagesTests {
  private let url = URL(string: "https://gis.example.org/rest/services/A/FeatureServer/0")!

  private func table(_ transport: StubTransport) async throws -> ServiceFeatureTable {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    return try await ServiceFeatureTable.load(url, client: client)
  }

  private func ids(_ pages: FeaturePages) async throws(PortalError) -> [Int64] {
    var ids: [Int64] = []
    for try await page in pages { ids += page.features.map(\.objectID) }
    return ids
  }

  static let servers: [(String, StubFeatureServer)] = [
    ("plain", StubFeatureServer()),
    ("one page", StubFeatureServer(pageSize: 100, declaredPageSize: 100)),
    ("just full", StubFeatureServer(ids: Array(1...24))),
    ("empty", StubFeatureServer(ids: [])),
    ("gives less than it says", StubFeatureServer(pageSize: 3, declaredPageSize: 10)),
    (
      "and does not say so",
      StubFeatureServer(pageSize: 3, declaredPageSize: 10, tellsWhenCut: false)
    ),
    ("does not count", StubFeatureServer(counts: false)),
    (
      "does not count, gives less",
      StubFeatureServer(pageSize: 3, declaredPageSize: 10, counts: false)
    ),
    ("does not paginate", StubFeatureServer(paginates: false)),
    (
      "nor gives what it says",
      StubFeatureServer(pageSize: 3, declaredPageSize: 10, paginates: false)
    ),
    ("offers PBF and sends JSON", StubFeatureServer(offersPBF: true)),
    ("says it gives everything", StubFeatureServer(declaredPageSize: .max)),
    (
      "offers PBF and refuses it",
      StubFeatureServer(
        offersPBF: true,
        failureOfPBF: (200, #"{"error":{"code":400,"message":"Invalid format","details":[]}}"#))
    ),
    (
      "offers PBF and fails to write it",
      StubFeatureServer(offersPBF: true, failureOfPBF: (500, "<html><title>Oops</title></html>"))
    ),
    (
      "offers PBF and writes something else",
      StubFeatureServer(offersPBF: true, failureOfPBF: (200, "\u{1}\u{2}\u{3}"))
    ),
    ("knows no time zone of its dates", StubFeatureServer(hasDatesInUnknownTimeZone: true)),
    (
      "knows none and does not paginate",
      StubFeatureServer(paginates: false, hasDatesInUnknownTimeZone: true)
    ),
    (
      "has no object ids",
      StubFeatureServer(pageSize: 100, declaredPageSize: 100, paginates: false, hasObjectIDs: false)
    ),
  ]

  @Test(arguments: servers, [1, 2, 8]) func `All features come once and in order`(
    _ server: (name: String, stub: StubFeatureServer), _ pagesAhead: Int
  ) async throws {
    let table = try await table(server.stub.transport())
    #expect(try await ids(table.pages(pagesAhead: pagesAhead)) == server.stub.ids)
  }

  @Test(arguments: [true, false]) func `An offset and a limit are kept`(
    _ paginates: Bool
  ) async throws {
    let table = try await table(StubFeatureServer(paginates: paginates).transport())
    for (offset, limit, expected) in [
      (3, 6, 4...9), (23, 9, 24...25), (0, 1, 1...1), (20, Int.max, 21...25),
    ] {
      let parameters = ServiceQueryParameters(offset: offset, limit: limit)
      #expect(try await ids(table.pages(matching: parameters)) == expected.map(Int64.init))
    }
    let nothing = ServiceQueryParameters(offset: 3, limit: 0)
    #expect(try await ids(table.pages(matching: nothing)).isEmpty)
  }

  @Test func `Pages are asked for in the order of the object id`() async throws {
    let transport = StubFeatureServer().transport()
    let parameters = ServiceQueryParameters(
      whereClause: "name LIKE 'r%'", geometry: .point(Point(x: 1, y: 2)),
      geometrySpatialReference: .webMercator, spatialRelationship: .within,
      orderBy: [QueryParameters.OrderBy("name", isDescending: true)], outFields: ["name"],
      outSpatialReference: .wgs84)
    _ = try await ids(table(transport).pages(matching: parameters, pageSize: 2))
    let asked = try #require(transport.requests.first { $0.parameters["resultOffset"] == "24" })
    let sent = asked.parameters
    #expect(sent["orderByFields"] == "name DESC,id ASC")
    #expect(sent["where"] == "name LIKE 'r%'" && sent["resultRecordCount"] == "1")
    #expect(sent["geometryType"] == "esriGeometryPoint" && sent["inSR"] == "102100")
    #expect(sent["spatialRel"] == "esriSpatialRelWithin" && sent["outSR"] == "4326")
    #expect(sent["outFields"] == "name" && sent["returnGeometry"] == "false")
  }

  @Test func `Batches of ids travel in a form, which may be sent again`() async throws {
    let transport = StubFeatureServer(paginates: false).transport()
    _ = try await ids(table(transport).pages())
    let batches = transport.requests.filter { $0.parameters["objectIds"] != nil }
    #expect(batches.count == 7 && batches.allSatisfy { $0.method == .post })
    #expect(batches.allSatisfy { $0.isRepeatable })
    // They travel side by side.
    #expect(batches.contains { $0.parameters["objectIds"] == "1,2,3,4" })
  }

  @Test func `A page that fails says which it is`() async throws {
    let table = try await table(StubFeatureServer(failingOffsets: [8]).transport())
    var count = 0
    await #expect {
      for try await page in table.pages() { count += page.features.count }
    } throws: { error in
      guard case .part(let part, .server) = error as? PortalError else { return false }
      return part == "features 9 to 12"
    }
    #expect(count == 8)
  }

  @Test func `A single feature that fails is named by its object id`() async throws {
    let layer = StubFeatureServer().layer.text()
    let table = try await table(
      StubTransport { request in
        request.url.lastPathComponent == "query"
          ? .json(#"{"error":{"code":400,"message":"No"}}"#, to: request)
          : .json(layer, to: request)
      })
    await #expect {
      for try await _ in table.pages(matching: ServiceQueryParameters(objectIDs: [7])) {}
    } throws: { error in
      guard case .part(let part, .server) = error as? PortalError else { return false }
      return part == "the feature with the object id 7"
    }
  }

  @Test func `A layer that also refuses JSON reports its reason`() async throws {
    let layer = StubFeatureServer(offersPBF: true).layer.text()
    let table = try await table(
      StubTransport { request in
        guard request.url.lastPathComponent == "query" else { return .json(layer, to: request) }
        return request.parameters["f"] == "pbf"
          ? .json("<html></html>", status: 500, to: request)
          : .json(#"{"error":{"code":400,"message":"No such field"}}"#, to: request)
      })
    await #expect {
      for try await _ in table.pages() {}
    } throws: { error in
      guard case .part(_, .server(_, let envelope)) = error as? PortalError else { return false }
      return envelope.message == "No such field"
    }
  }

  @Test(arguments: [true, false])
  func `A layer without object ids yields one page, and the missing rest is reported`(
    _ tellsWhenCut: Bool
  ) async throws {
    let stub = StubFeatureServer(
      pageSize: 10, declaredPageSize: 10, paginates: false, hasObjectIDs: false,
      tellsWhenCut: tellsWhenCut)
    let table = try await table(stub.transport())
    var count = 0
    await #expect(throws: PortalError.self) {
      for try await page in table.pages() { count += page.features.count }
    }
    #expect(count == 10)
    let some = ServiceQueryParameters(offset: 2, limit: 5)
    var names: [AttributeValue?] = []
    for try await page in table.pages(matching: some) {
      names += page.features.map { $0.attributes["name"] }
    }
    #expect(names == (3...7).map { .text("row \($0)") })
  }

  @Test func `A number or a letter that is not JSON costs its value, not the page`() async throws {
    var body = Data(#"{"features":[{"attributes":{"id":1,"name":"Caf"#.utf8)
    body.append(0xE9)
    body += Data(#""}},{"attributes":{"id":2,"name":NaN}},{"attributes":{"id":-Infinity}}]}"#.utf8)
    let layer = StubFeatureServer(paginates: false).layer.text()
    let table = try await table(
      StubTransport { [body] request in
        guard request.url.lastPathComponent == "query" else { return .json(layer, to: request) }
        return request.parameters["returnIdsOnly"] == "true"
          ? .json(#"{"objectIds":[1,2]}"#, to: request) : .data(body, to: request)
      })
    var names: [AttributeValue?] = []
    for try await page in table.pages() { names += page.features.map { $0.attributes["name"] } }
    #expect(names.first == .text("Café"))
    #expect(names.dropFirst().first == .null)
  }

  @Test func `Damaged features are described with a reason`() async throws {
    let layer = StubFeatureServer().layer.text()
    let table = try await table(
      StubTransport { request in
        .json(request.url.lastPathComponent == "query" ? #"{"features":[{]}"# : layer, to: request)
      })
    await #expect {
      for try await _ in table.pages() {}
    } throws: { error in
      guard case .part(_, .notJSON(_, .damaged(let reason))) = error as? PortalError else {
        return false
      }
      return !reason.isEmpty && !reason.hasSuffix(".")
    }
  }

  @Test func `A box across the antimeridian is asked for in two parts`() async throws {
    let transport = StubFeatureServer().transport()
    let box = Envelope(west: 170, south: -20, east: -170, north: 20, worldWidth: 360)
    let parameters = ServiceQueryParameters(
      geometry: .envelope(box), geometrySpatialReference: .wgs84,
      spatialRelationship: .envelopeIntersects)
    _ = try await ids(table(transport).pages(matching: parameters))
    let sent = try #require(transport.requests.last?.parameters)
    #expect(sent["geometryType"] == "esriGeometryPolygon")
    #expect(sent["spatialRel"] == "esriSpatialRelIntersects")
    let rings = try JSONValue(parsing: sent["geometry"] ?? "")["rings"]?.array ?? []
    #expect(rings.count == 2)
    let longitudes = rings.flatMap { $0.array ?? [] }.compactMap { $0[0]?.double }
    #expect(Set(longitudes) == [-180, -170, 170, 180])
  }

  @Test func `A service that does not list its layers at once is asked for each`() async throws {
    let row = StubFeatureServer().layer.text()
    let transport = StubTransport { request in
      switch request.url.lastPathComponent {
      case "layers":
        .json(#"{"error":{"code":400,"message":"Invalid URL","details":[]}}"#, to: request)
      case "FeatureServer":
        .json(#"{"layers":[{"id":0,"name":"Rows"},{"id":1}],"tables":[]}"#, to: request)
      case "0": .json(row, to: request)
      default: .json("<html></html>", status: 500, to: request)
      }
    }
    let service = FeatureService(
      url: url.deletingLastPathComponent(),
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
    #expect(try await service.layers().map(\.name) == ["Rows"])
  }

  @Test func `A service without a responding layer reports why`() async throws {
    let transport = StubTransport { request in
      .json(#"{"error":{"code":400,"message":"Invalid URL"}}"#, to: request)
    }
    let service = FeatureService(
      url: url.deletingLastPathComponent(),
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
    await #expect {
      try await service.layers()
    } throws: { error in
      guard case .server(_, let envelope) = error as? PortalError else { return false }
      return envelope.message == "Invalid URL"
    }
  }

  @Test func `A service that repeats its pages is found out`() async throws {
    let table = try await table(StubFeatureServer(ignoresOffset: true).transport())
    await #expect(throws: PortalError.self) { try await ids(table.pages()) }
  }

  @Test func `Cancelling ends the query`() async throws {
    let table = try await table(StubFeatureServer().transport())
    let task = Task { () -> PortalError? in
      do throws(PortalError) {
        for try await _ in table.pages() { withUnsafeCurrentTask { $0?.cancel() } }
        return nil
      } catch { return error }
    }
    #expect(await task.value == .cancelled)
  }

  @Test func `PBF is asked for where it is offered, and read`() async throws {
    let data = try #require(Data(base64Encoded: "EhoKGAoCaWRqBgoCaWQQBnoECgIwB3oECgIwCA=="))
    let transport = StubTransport { request in
      switch request.parameters["f"] {
      case "pbf": .data(data, to: request)
      case _ where request.parameters["returnCountOnly"] == "true":
        .json(#"{"count":2}"#, to: request)
      default: .json(StubFeatureServer(offersPBF: true).layer.text(), to: request)
      }
    }
    #expect(try await ids(table(transport).pages()) == [7, 8])
  }

  @Test func `Counts, ids and extents are read in every form`() async throws {
    func table(_ body: String) async throws -> ServiceFeatureTable {
      let layer = StubFeatureServer().layer.text()
      return try await self.table(
        StubTransport { .json($0.url.lastPathComponent == "query" ? body : layer, to: $0) })
    }
    #expect(try await table(#"{"count":7}"#).count() == 7)
    #expect(try await table(#"{"objectIds":[1,2]}"#).count() == 2)
    #expect(try await table(#"{"objectIds":null}"#).count() == 0)
    await #expect(throws: PortalError.self) { try await table("{}").count() }
    #expect(try await table(#"{"objectIds":null}"#).objectIDs() == [])
    let large = #"{"objectIds":[9007199254740993,-1]}"#
    #expect(try await table(large).objectIDs() == [9_007_199_254_740_993, -1])
    await #expect(throws: PortalError.self) { try await table("[]").objectIDs() }
    #expect(try await table(#"{"extent":{"xmin":"NaN"},"count":0}"#).extent() == nil)
    let box = #"{"extent":{"xmin":1,"ymin":2,"xmax":3,"ymax":4}}"#
    let envelope = Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 4)
    #expect(try await table(box).extent() == envelope)
  }

  @Test func `Statistics are asked for`() async throws {
    let transport = StubTransport { request in
      request.url.lastPathComponent == "query"
        ? .json(
          #"{"fields":[{"name":"most","type":"esriFieldTypeDouble"}],"features":"#
            + #"[{"attributes":{"most":12.5}}]}"#, to: request)
        : .json(StubFeatureServer().layer.text(), to: request)
    }
    let set = try await table(transport).statistics(
      [StatisticDefinition(.max, of: "size", as: "most")], groupedBy: ["kind"])
    #expect(set.features.first?.attributes["most"] == .double(12.5))
    let sent = try #require(transport.requests.last?.parameters)
    #expect(sent["groupByFieldsForStatistics"] == "kind")
    #expect(sent["outStatistics"]?.contains(#""statisticType":"max""#) == true)
  }

  @Test func `Related rows come in pages, and by feature`() async throws {
    let transport = StubTransport { request in
      let isFirst = request.parameters["resultOffset"] == nil
      let rows = isFirst ? #"{"attributes":{"a":1}}"# : #"{"attributes":{"a":2}}"#
      return request.url.lastPathComponent == "queryRelatedRecords"
        ? .json(
          #"{"fields":[{"name":"a","type":"esriFieldTypeInteger"}],"exceededTransferLimit":"#
            + #"\#(isFirst),"relatedRecordGroups":[{"objectId":5,"relatedRecords":[\#(rows)]},7]}"#,
          to: request)
        : .json(StubFeatureServer().layer.text(), to: request)
    }
    let related = try await table(transport).relatedFeatures(to: [5, 6], through: 3)
    #expect(related.keys.sorted() == [5])
    #expect(related[5]?.features.map { $0.attributes["a"] } == [.integer(1), .integer(2)])
    #expect(transport.requests.last?.parameters["relationshipId"] == "3")
    #expect(transport.requests.last?.parameters["timeReferenceUnknownClient"] == nil)
  }

  @Test(arguments: [true, false]) func `Attachments are listed and fetched`(
    _ isAtOnce: Bool
  ) async throws {
    let transport = StubTransport { request in
      let info = #"{"id":3,"name":"a.jpg","contentType":"image/jpeg","size":9}"#
      switch request.url.lastPathComponent {
      case "attachments": return .json(#"{"attachmentInfos":[\#(info),{}]}"#, to: request)
      case "queryAttachments":
        return .json(
          #"{"attachmentGroups":[{"parentObjectId":5,"attachmentInfos":[\#(info)]}]}"#, to: request)
      case "3": return .data(Data([1, 2]), to: request)
      default:
        return .json(
          #"{"type":"Table","advancedQueryCapabilities":{"supportsQueryAttachments":\#(isAtOnce)}}"#,
          to: request)
      }
    }
    let table = try await table(transport)
    let attachments = try await table.attachments(of: [5])
    let expected = Attachment(id: 3, name: "a.jpg", contentType: "image/jpeg", size: 9)
    #expect(attachments == [5: [expected]])
    #expect(try await table.data(of: 3, of: 5) == Data([1, 2]))
    #expect(transport.requests.last?.url.path().hasSuffix("/0/5/attachments/3") == true)
  }
}
