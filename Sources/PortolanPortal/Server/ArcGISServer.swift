public import Foundation

/// A server of services.
///
/// Docs/REST.md, 4. A value: it holds nothing but where to ask.
public struct ArcGISServer: Sendable {
  /// The address up to `rest`, for example `https://host/arcgis/rest`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a server.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// The metadata of the server.
  public func info() async throws(PortalError) -> ArcGISServerInfo {
    try await client.value(
      url.appending(path: "info"), orBecause: "this is no server",
      reading: ArcGISServerInfo.init(json:))
  }

  /// The services in a folder; those in none if it is `nil`.
  public func catalog(
    of folder: String? = nil
  ) async throws(PortalError) -> ArcGISServerCatalog {
    let services = url.appending(path: "services")
    guard let address = folder.map({ services.appending(untrustedPath: $0) }) ?? services else {
      throw .invalidID(String((folder ?? "").prefix(100)))
    }
    return try await client.value(
      address, orBecause: "there is no list of services",
      reading: ArcGISServerCatalog.init(json:))
  }
}
