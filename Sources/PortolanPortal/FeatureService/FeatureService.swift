public import Foundation
internal import PortolanFeatures
internal import PortolanJSON

/// A feature service, or a map service whose layers can be queried.
///
/// Docs/REST.md, 3. A value: it holds nothing but where to ask.
public struct FeatureService: Sendable {
  /// The address, for example `https://host/arcgis/rest/services/Water/FeatureServer`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a service.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// The address that the service has written in an answer, absolute or relative to its own; `nil` if that
  /// is none of the web.
  public func address(_ text: String) -> URL? { URL(service: text, below: url) }

  /// The metadata of the service.
  public func info() async throws(PortalError) -> FeatureServiceInfo {
    try await client.value(
      url, orBecause: "there are neither layers nor tables",
      reading: FeatureServiceInfo.init(json:))
  }

  /// All layers and tables with what they say about themselves.
  ///
  /// If the service cannot answer for all layers at once, they are requested one by one, and those
  /// that fail are left out, unless they may answer later.
  public func layers() async throws(PortalError) -> [FeatureLayerInfo] {
    do throws(PortalError) {
      return try await client.value(
        url.appending(path: "layers"), orBecause: "there is no list of layers",
        reading: Self.layers(json:))
    } catch {
      guard error.leavesOtherResources else { throw error }
      return try await layersOneByOne(after: error)
    }
  }

  private func layersOneByOne(
    after refusal: PortalError
  ) async throws(PortalError) -> [FeatureLayerInfo] {
    let service: FeatureServiceInfo
    do throws(PortalError) { service = try await info() } catch {
      throw error.leavesOtherResources ? refusal : error
    }
    var documents: [JSONValue] = []
    var failure = refusal
    for entry in service.layers + service.tables {
      do throws(PortalError) {
        documents.append(try await client.json(url.appending(path: "\(entry.id)")))
      } catch {
        guard error.leavesOtherResources, !error.isTransient else { throw error }
        failure = error
      }
    }
    guard !documents.isEmpty else { throw failure }
    return Self.layers(documents)
  }

  /// A layer or table that can be queried.
  public func table(_ id: Int) async throws(PortalError) -> ServiceFeatureTable {
    try await ServiceFeatureTable.load(url.appending(path: "\(id)"), client: client)
  }

  /// Reads the document of all layers and tables.
  private static func layers(json: JSONValue) -> [FeatureLayerInfo]? {
    guard json["layers"] != nil || json["tables"] != nil else { return nil }
    return layers((json["layers"]?.array ?? []) + (json["tables"]?.array ?? []))
  }

  private static func layers(_ list: [JSONValue]) -> [FeatureLayerInfo] {
    let resources = list.map { LayerResource(json: $0) }
    return list.compactMap { FeatureLayerInfo(json: $0, among: resources) }
  }
}

extension PortalError {
  /// Whether other resources of the same service may answer although this one did not.
  fileprivate var leavesOtherResources: Bool {
    switch self {
    case .server, .notFound, .notJSON, .unexpected: true
    default: false
    }
  }
}
