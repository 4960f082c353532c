internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal
internal import PortolanTransport

extension FuzzTarget {
  /// Features in the services' binary form.
  static let featurePBF = FuzzTarget(
    "feature-pbf", words: ["\u{12}", "\u{A}", "\u{7A}", "\u{FF}"],
    seeds: PortalSeeds.featureSets
  ) { data in
    let set = try FeatureSet(parsingPBF: data)
    let vertexCount = set.features.reduce(0) { sum, feature in
      sum + (feature.geometry?.paths.reduce(0) { $0 + $1.count } ?? 0)
    }
    // A vertex takes two bytes; a ring that is open gets one more.
    try FuzzFinding.check(vertexCount <= data.count, "has more vertices than bytes")
    try FuzzFinding.check(set.features.count <= data.count, "has more features than bytes")
    try FuzzFinding.check(
      set.features.allSatisfy { $0.attributes.values.count == set.fields.count },
      "has a feature with other fields")
  }

  /// An answer of a portal, taken for whatever is requested.
  static let portalJSON = FuzzTarget(
    "portal-json", cost: 4,
    words: FormatWords.json + ["\"error\"", "\"code\"", "\"nextStart\"", "\"extent\"", "\"NaN\""],
    form: .json, texts: PortalSeeds.documents
  ) { data in
    let client = RESTClient(
      transport: FixedAnswerTransport(body: data), authenticator: AnonymousAuthenticator())
    let json = try JSONValue(parsing: data)
    try await ask(client)
    _ = (PortalInfo(json: json), PortalItem(json: json), PortalUser(json: json))
    _ = GeoprocessingJobStatus(json: json).map { ($0.failure, $0.outputURLs) }
    _ = (ReplicaJobStatus(json: json), ErrorEnvelope(recognizing: json))
    _ = (MapServiceInfo(json: json), FeatureServiceInfo(json: json), LocatorInfo(json: json))
    let (fast, slow) = (try FeatureSet(parsing: data), FeatureSet(json: json))
    try FuzzFinding.check(
      fast?.features.count == slow?.features.count && fast?.fields == slow?.fields,
      "is read as other features from the tape")
  }

  /// Asks for what needs more than one reader; refusals are answers.
  private static func ask(_ client: RESTClient) async throws {
    guard let url = URL(string: "https://example.org/rest/services/A/MapServer") else { return }
    let portal = Portal(url: url, client: client)
    let map = MapService(url: url, client: client)
    let tiles = VectorTileService(url: url, client: client)
    let places = GeocodeService(url: url, client: client)
    for question in [
      { _ = try await portal.findItems(PortalQueryParameters(query: "x")) },
      { _ = try await map.legend() }, { _ = try await tiles.tileIndex() },
      { _ = try await places.geocode(batch: ["a"]) }, { _ = try await places.suggest(for: "a") },
    ] as [() async throws -> Void] {
      do {
        try await question()
      } catch let error as PortalError {
        _ = (error.errorDescription, error.recoverySuggestion)
      }
    }
  }
}

/// Answers every request with the same bytes.
private struct FixedAnswerTransport: HTTPTransport {
  let body: Data

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let head = HTTPResponseHead(status: 200, url: request.url)
    try sink.begin(head)
    try sink.receive(body.bytes)
    return head
  }
}
