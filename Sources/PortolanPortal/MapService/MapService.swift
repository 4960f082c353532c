public import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// A map service, which draws maps or has them drawn as tiles.
///
/// Docs/REST.md, 4. A value: it holds nothing but where to ask. Its layers can be queried as those
/// of a ``FeatureService`` at the same address.
public struct MapService: Sendable {
  /// The address, for example `https://host/arcgis/rest/services/World/MapServer`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a service.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// The metadata of the service.
  public func info() async throws(PortalError) -> MapServiceInfo {
    try await client.value(url, orBecause: "this is no map", reading: MapServiceInfo.init(json:))
  }

  /// The legend, layer by layer.
  public func legend() async throws(PortalError) -> [ServiceLegend] {
    try await client.value(
      url.appending(path: "legend"), orBecause: "there is no legend",
      reading: ServiceLegend.legends(json:))
  }

  /// The picture of a line of the legend; that in the line itself, or else asked for.
  public func image(
    of line: ServiceLegend.Line, in legend: ServiceLegend
  ) async throws(PortalError) -> Data? {
    if let data = line.imageData { return data }
    guard let name = line.imageName,
      let url = url.appending(path: "\(legend.layerID)/images").appending(untrustedPath: name)
    else { return nil }
    return try await client.data(url).body
  }

  /// The features at a place of the map.
  public func identify(
    _ parameters: IdentifyParameters
  ) async throws(PortalError) -> [IdentifyResult] {
    try await client.value(
      url.appending(path: "identify"), parameters.request, orBecause: "there is no list of results"
    ) { json in
      json["results"]?.array?.compactMap(IdentifyResult.init(json:))
    }
  }
}
