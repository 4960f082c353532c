internal import Foundation
internal import PortolanFeatures
internal import PortolanPortal

/// The layers and tables of services, each service asked once however many layers a map has of it.
actor ServiceTables {
  /// A service's layers and tables that have fields, and the store that all map layers share.
  struct Service: Sendable {
    let tables: [ServiceFeatureTable]
    let store: any FeatureStore
  }

  private struct Key: Hashable {
    let url: URL
    let parameters: RESTParameters
  }

  private let client: RESTClient
  private var services: [Key: Service] = [:]
  private nonisolated let loading = SharedWork<Key, Result<Service, PortalError>>()

  /// Creates an empty list; `client` asks.
  init(_ client: RESTClient) { self.client = client }

  /// The tables of a service, with `parameters` added to every request to it; one that failed is
  /// asked again the next time.
  func service(
    _ url: URL, adding parameters: RESTParameters = [:]
  ) async throws(PortalError) -> Service {
    let key = Key(url: url, parameters: parameters)
    if let known = services[key] { return known }
    let client = client.adding(parameters)
    guard let result = await loading.value(for: key, { await Self.load(url, client) }) else {
      throw .cancelled
    }
    let service = try result.get()
    services[key] = service
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
      return .success(
        Service(tables: tables, store: SessionFeatureStore(ServiceGeodatabase(store))))
    } catch {
      return .failure(error)
    }
  }
}
