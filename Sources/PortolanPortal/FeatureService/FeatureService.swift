public import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// A feature service, or a map service whose layers can be queried.
///
/// Docs/REST.md, 3. A value: it holds nothing but where to ask.
public struct FeatureService: Sendable {
  /// The address, for example `https://host/arcgis/rest/services/Water/FeatureServer`.
  public let url: URL

  /// What sends the requests.
  public let client: RESTClient

  /// Creates a service.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// What the service says about itself.
  public func info() async throws(PortalError) -> FeatureServiceInfo {
    try await client.value(
      url, orBecause: "there are neither layers nor tables",
      reading: FeatureServiceInfo.init(json:))
  }

  /// All layers and tables with what they say about themselves.
  public func layers() async throws(PortalError) -> [FeatureLayerInfo] {
    try await client.value(
      url.appending(path: "layers"), orBecause: "there is no list of layers",
      reading: Self.layers(json:))
  }

  /// A layer or table that can be queried.
  public func table(_ id: Int) async throws(PortalError) -> ServiceFeatureTable {
    try await ServiceFeatureTable.load(url.appending(path: "\(id)"), client: client)
  }

  /// Reads the document of all layers and tables.
  private static func layers(json: JSONValue) -> [FeatureLayerInfo]? {
    guard json["layers"] != nil || json["tables"] != nil else { return nil }
    let list = (json["layers"]?.array ?? []) + (json["tables"]?.array ?? [])
    let resources = list.map { LayerResource(json: $0) }
    return list.compactMap { FeatureLayerInfo(json: $0, among: resources) }
  }
}
