internal import Foundation
public import PortolanPortal

extension AccountScreens {
  /// Asks for a layer of a web map again as a user of the layer's own server.
  ///
  /// The credentials go to that server only and are not kept.
  ///
  /// - Parameters:
  ///   - key: The layer's key.
  ///   - map: The screen of the web map.
  ///   - username: The name that the server knows.
  ///   - password: The password.
  /// - Throws: A problem if the layer has no server, or the server refuses.
  public func retry(
    _ key: String, of map: WebMapModel, as username: String, password: Secret
  ) async throws(Problem) {
    try await map.retry(key, with: client(forServer: map.server(of: key), username, password))
  }

  /// Asks for a layer of a map of this device again as a user of the layer's own server.
  ///
  /// The credentials go to that server only and are not kept.
  ///
  /// - Parameters:
  ///   - key: The layer's key.
  ///   - map: The screen of the open map.
  ///   - username: The name that the server knows.
  ///   - password: The password.
  /// - Throws: A problem if the layer has no server, or the server refuses.
  public func retry(
    _ key: String, of map: MapModel, as username: String, password: Secret
  ) async throws(Problem) {
    try await map.retry(key, with: client(forServer: map.server(of: key), username, password))
  }

  private func client(
    forServer server: URL?, _ username: String, _ password: Secret
  ) async throws(Problem) -> RESTClient {
    guard let server else {
      throw Problem(.noServer, message: "The layer has no server to sign in to.")
    }
    do {
      return try await portals.client(
        forServerOf: server, username: username, password: password)
    } catch {
      throw Problem(ofServer: error)
    }
  }
}
