public import Foundation
public import PortolanTransport
internal import Synchronization

/// Credentials for one server that keeps users of its own, beside whatever portal is in use.
///
/// They go to that server only and are not stored: a layer of a map is tried again with them.
public struct ServerAuthenticator: RequestAuthenticator {
  private let root: PortalURL
  private let credential: TokenCredential
  private let place = KnownPlace()

  /// Signs in to the server of a service.
  ///
  /// - Parameters:
  ///   - service: The address of anything on the server below `/rest/`.
  ///   - username: The name that the server knows.
  ///   - password: The password, which is not kept.
  ///   - transport: What sends the requests.
  ///   - environment: The time, and what may travel without encryption.
  /// - Returns: What gives requests to that server its token.
  /// - Throws: ``SignInFailure/refused(host:reason:)``, ``SignInFailure/plainHTTP(host:)``,
  ///   ``PortalError/unexpected(_:reason:)`` if the server has no sign-in of its own.
  public static func signIn(
    toServerOf service: URL, username: String, password: Secret, transport: any HTTPTransport,
    environment: IdentityEnvironment
  ) async throws(PortalError) -> ServerAuthenticator {
    guard let root = service.serverRoot.flatMap(PortalURL.init(root:)) else {
      throw .unexpected(service.withoutSecrets, reason: "it is no address of a service")
    }
    let signIn = try await ServerSignIn(of: root, transport, environment)
    let grant = try await signIn.grant(username: username, password: password)
    return ServerAuthenticator(root: root, credential: grant.tokenCredential)
  }

  public func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest {
    guard isForServer(request.url) else { return request }
    return request.carrying(credential.token, referer: credential.referer, in: place.current)
  }

  public func respond(
    to challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest? {
    guard challenge.kind == .tokenRequired, challenge.request.tokenPlace == .header,
      isForServer(challenge.url)
    else { return nil }
    place.set(.parameter)
    return challenge.request.carryingToken(in: .parameter)
  }

  private func isForServer(_ url: URL) -> Bool {
    guard let place = url.serverRoot.flatMap(PortalURL.init(root:)) else { return false }
    return place == root && place.usesPlainHTTP == root.usesPlainHTTP
  }
}

/// The place where the server reads tokens, as far as it is known.
private final class KnownPlace: Sendable {
  private let place = Mutex(TokenPlace.header)

  var current: TokenPlace { place.withLock { $0 } }

  func set(_ new: TokenPlace) { place.withLock { $0 = new } }
}
