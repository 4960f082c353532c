internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// The sign-in address of a server with users of its own, as the server gave it.
///
/// It is found without anything that is secret, so that a password goes to no more than one server.
public struct ServerSignIn: Sendable {
  /// The root of the server.
  let root: PortalURL
  private let address: URL
  private let service: TokenService

  /// Asks a server where its tokens come from.
  ///
  /// - Throws: ``SignInFailure/plainHTTP(host:)``, ``PortalError/unexpected(_:reason:)`` if the server has no
  ///   sign-in of its own.
  init(
    of root: PortalURL, _ transport: any HTTPTransport, _ environment: IdentityEnvironment
  ) async throws(PortalError) {
    try environment.requirePrivacy(of: root)
    let address = try await Self.tokenService(of: root, transport)
    guard let place = PortalURL(root: address) else {
      throw .signIn(.badAddress(address.withoutSecrets))
    }
    try environment.requirePrivacy(of: place)
    self.root = root
    self.address = address
    service = TokenService(portal: root, transport: transport, now: environment.now)
  }

  /// A token for one of the server's own users.
  func grant(
    username: String, password: Secret
  ) async throws(PortalError) -> TokenService.Grant {
    do {
      return try await service.refusable { () async throws(PortalError) in
        try await service.token(username: username, password: password, from: address)
      }
    } catch .signIn(.refused(_, let reason)) {
      // Servers of one host differ by their ports.
      let place = root.root.shownHostAndPort ?? root.shownHost
      throw .signIn(.refused(host: place, reason: reason))
    }
  }

  /// The URL of the token service, as the server gives it.
  private static func tokenService(
    of root: PortalURL, _ transport: any HTTPTransport
  ) async throws(PortalError) -> URL {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let address = root.root.appending(path: "rest/info")
    let info = try await client.json(address)
    guard let text = info["authInfo"]?["tokenServicesUrl"]?.string, let url = URL(string: text)
    else {
      throw .unexpected(address.withoutSecrets, reason: "the server has no sign-in of its own")
    }
    return url
  }
}
