import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct MapServiceTests {
  private let url = URL(string: "https://gis.example.org/rest/services/W/MapServer")!

  private func service(_ transport: StubTransport) -> MapService {
    MapService(
      url: url, client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }

  @Test func `An identify request returns the features at a place`() async throws {
    let body = """
      {"results":[{"layerId":2,"layerName":"Roads","value":"Main","displayFieldName":"NAME",
      "attributes":{"Name":"Main","Width":"Null"},"geometry":{"x":1,"y":2}},
      {"layerId":3,"geometry":{"q":1}},{"value":"lost"}]}
      """
    let transport = StubTransport { .json(body, to: $0) }
    let parameters = IdentifyParameters(
      geometry: .point(Point(x: 1, y: 2)), spatialReference: .webMercator, layers: .only([2, 3]),
      mapExtent: Envelope(xMin: 0, yMin: 0, xMax: 10, yMax: 10), imageSize: (400, 300))
    let results = try await service(transport).identify(parameters)
    #expect(results.map(\.layerID) == [2, 3])
    #expect(results[0].geometry == .point(Point(x: 1, y: 2)) && results[1].geometry == nil)
    #expect(results[0].attributes["Name"] == "Main")
    let sent = try #require(transport.requests.first?.parameters)
    #expect(sent["layers"] == "all:2,3" && sent["imageDisplay"] == "400,300,96")
    #expect(sent["mapExtent"] == "0.0,0.0,10.0,10.0" && sent["sr"] == "102100")
  }

  @Test func `A picture of the legend that did not come along is fetched`() async throws {
    let transport = StubTransport { request in
      request.url.lastPathComponent == "legend"
        ? .json(
          #"{"layers":[{"layerId":4,"legend":[{"label":"a","url":"ab12","values":[1,"x"]},"#
            + #"{"url":"../../x"},{}]},{"layerName":"lost"}]}"#, to: request)
        : .data(Data([1]), to: request)
    }
    let service = service(transport)
    let legend = try #require(try await service.legend().first)
    #expect(legend.layerID == 4 && legend.lines[0].values == ["1", "x"])
    #expect(try await service.image(of: legend.lines[0], in: legend) == Data([1]))
    #expect(transport.requests.last?.url.path().hasSuffix("/4/images/ab12") == true)
    #expect(try await service.image(of: legend.lines[1], in: legend) == nil)
    #expect(try await service.image(of: legend.lines[2], in: legend) == nil)
  }

  @Test func `Every member of a service may be of the wrong type`() throws {
    let names = [
      "currentVersion", "mapName", "capabilities", "layers", "tables", "fullExtent", "tileInfo",
      "spatialReference", "minLOD", "tileServers", "exportTilesAllowed", "maxExportTilesCount",
      "minScale",
    ]
    let values: [JSONValue] = [nil, true, -1, 1.5, "x", [], [[]], ["a": nil], [nil, 1]]
    for name in names {
      for value in values {
        let json: JSONValue = .object(["mapName": "m", "layers": []]).setting(name, value)
        #expect(MapServiceInfo(json: json) != nil)
        #expect(FeatureServiceInfo(json: .object(["tables": []]).setting(name, value)) != nil)
      }
    }
  }

  @Test func `A server lists its services`() async throws {
    let body = """
      {"currentVersion":11.2,"folders":["A b"],"services":[{"name":"F/Water","type":"MapServer"},
      {"name":"../x","type":"MapServer"},{"name":"n"}]}
      """
    let transport = StubTransport { .json(body, to: $0) }
    let root = try #require(URL(string: "https://gis.example.org/rest"))
    let server = ArcGISServer(
      url: root, client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
    let catalog = try await server.catalog(of: "A b")
    #expect(transport.requests.first?.url.path().hasSuffix("/services/A%20b") == true)
    let services = root.appending(path: "services")
    #expect(
      catalog.services.map { $0.url(below: services)?.absoluteString } == [
        "https://gis.example.org/rest/services/F/Water/MapServer", nil,
      ])
    await #expect(throws: PortalError.self) { try await server.catalog(of: "../admin") }
  }
}

extension JSONValue {
  fileprivate func setting(_ name: String, _ value: JSONValue) -> JSONValue {
    guard var object else { return self }
    object[name] = value
    return .object(object)
  }
}
