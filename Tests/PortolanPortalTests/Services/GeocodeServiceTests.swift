import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct GeocodeServiceTests {
  private let url = URL(string: "https://gis.example.org/rest/services/World/GeocodeServer")!

  private func service(_ transport: StubTransport) -> GeocodeService {
    GeocodeService(
      url: url, client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }

  @Test func `A suggestion goes out as it came`() async throws {
    let transport = StubTransport { .json(#"{"candidates":[]}"#, to: $0) }
    let suggestion = SuggestResult(label: "Café, ME", magicKey: "k=", isCollection: true)
    let parameters = GeocodeParameters(
      maxResults: 9, resultAttributeNames: ["*"], categories: ["POI"], countryCode: "USA",
      preferredSearchLocation: Point(x: 1, y: 2),
      searchArea: Envelope(xMin: 0, yMin: 1, xMax: 2, yMax: 3),
      outputSpatialReference: .webMercator, isForStorage: true)
    #expect(try await service(transport).geocode(suggestion, parameters).isEmpty)
    let sent = try #require(transport.requests.first?.parameters)
    #expect(sent["SingleLine"] == "Café, ME" && sent["magicKey"] == "k=")
    #expect(sent["outSR"] == "102100" && sent["maxLocations"] == "9" && sent["outFields"] == "*")
    #expect(sent["forStorage"] == "true" && sent["category"] == "POI")
    #expect(sent["location"]?.contains(#""x":1"#) == true)
    #expect(sent["searchExtent"]?.contains(#""xmax":2"#) == true)
  }

  @Test func `Addresses of a batch get their own places, whatever the order`() async throws {
    let transport = StubTransport { request in
      .json(
        """
        {"spatialReference":{"wkid":4326},"locations":[
        {"address":"c","location":{"x":3,"y":3},"score":90,"attributes":{"ResultID":2,"Status":"M"}},
        {"address":"","location":{"x":"NaN","y":"NaN"},"attributes":{"ResultID":1,"Status":"U"}},
        {"address":"a","location":{"x":1,"y":1},"score":80,"attributes":{"ResultID":"0"}},
        {"address":"z","location":{"x":1,"y":1},"attributes":{"ResultID":99}}, 7]}
        """, to: request)
    }
    let places = try await service(transport).geocode(batch: ["a", "b", "c"])
    #expect(places.map { $0?.label } == ["a", nil, "c"])
    #expect(places[2]?.location == Point(x: 3, y: 3) && places[0]?.score == 80)
    #expect(transport.requests.first?.method == .post)
    let sent = try #require(transport.requests.first?.parameters["addresses"])
    #expect(try JSONValue(parsing: sent)["records"]?[1]?["attributes"]?["SingleLine"] == "b")
  }

  @Test func `A place without an address has none`() async throws {
    let nothing = StubTransport { request in
      .json(
        #"{"error":{"code":400,"message":"Unable to complete operation.","details":"#
          + #"["Unable to find address for the specified location."]}}"#, to: request)
    }
    #expect(try await service(nothing).reverseGeocode(Point(x: 1, y: 2)) == nil)
    let other = StubTransport { .json(#"{"error":{"code":400,"message":"Bad."}}"#, to: $0) }
    await #expect(throws: PortalError.self) {
      try await service(other).reverseGeocode(Point(x: 1, y: 2))
    }
  }

  @Test func `Candidates come the best first, lost places without a location`() async throws {
    let body = """
      {"candidates":[{"address":"b","score":50,"location":{"x":"NaN","y":1}},
      {"address":"a","score":"99.5","location":{"x":1,"y":2},
      "extent":{"xmin":0,"ymin":0,"xmax":3,"ymax":3}},null]}
      """
    let transport = StubTransport { .json(body, to: $0) }
    let places = try await service(transport).geocode("x")
    #expect(places.map(\.label) == ["a", "b"])
    #expect(places[0].extent?.xMax == 3 && places[1].location == nil)
  }
}
