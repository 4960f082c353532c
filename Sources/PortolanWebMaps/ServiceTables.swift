internal import Foundation
internal import PortolanFeatures
internal import PortolanPortal

/// The layers and tables of services, each service asked once however many layers a map has of it.
actor ServiceTables {
  /// A service's layers and tables that have fields, and the store that all map layers share.
  struct Service: Sendable {
    let tables: [ServiceFeatureTable]
    let store: ServiceFeatureStore
  }

  private let client: RESTClient
  private var services: [URL: Service] = [:]
  private nonisolated let loading = SharedWork<URL, Result<Service, PortalError>>()

  /// Creates an empty list; `client` asks.
  init(_ client: RESTClient) { self.client = client }

  /// What a service has; one that failed is asked again the next time.
  func service(_ url: URL) async throws(PortalError) -> Service {
    if let known = services[url] { return known }
    let client = client
    guard let result = await loading.value(for: url, { await Self.load(url, client) }) else {
      throw .cancelled
    }
    let service = try result.get()
    services[url] = service
    return service
  }

  private static func load(_ url: URL, _ client: RESTClient) async -> Result<Service, PortalError> {
    do throws(PortalError) {
      let layers = try await FeatureService(url: url, client: client).layers()
      let tables = layers.compactMap { info -> ServiceFeatureTable? in
        guard let id = info.id, info.schema != nil else { return nil }
        return ServiceFeatureTable(
          url: url.appending(path: "\(id)"), info: info, client: client)
      }
      let store = ServiceFeatureStore(tables.map { ServiceFeatureStore.Table($0) })
      return .success(Service(tables: tables, store: store))
    } catch {
      return .failure(error)
    }
  }
}
