internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// A server that is no portal, and the portal whose users it knows.
struct FederatedServer: Sendable {
  /// The portal that it belongs to, if it is one of ours.
  var portal: PortalURL?
  /// The token that the portal has made for it.
  var token: Secret?
  /// The `Referer` that the token is bound to.
  var referer: String?
}

extension AuthenticationManager {
  /// The known properties of the server of `url`.
  func server(covering url: URL) -> FederatedServer? {
    guard let root = url.serverRoot.flatMap(PortalURL.init(root:)) else { return nil }
    // Equal roots may differ in scheme, and what one may know may not travel by the other.
    guard let server = servers[root], let portal = server.portal,
      CredentialScope(portal: portal).mayFederate(root.root)
    else { return nil }
    return server
  }

  /// The request to send to a server that belongs to a portal of ours; `nil` if it belongs to none.
  func retryAtServer(
    _ challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest? {
    let challenge = securedChallenge(challenge)
    guard let root = challenge.url.serverRoot.flatMap(PortalURL.init(root:)) else { return nil }
    if let known = servers[root], let token = known.token, token == challenge.request.token {
      servers[root] = nil
    }
    let result = await serverLookups.value(for: root) { await self.lookUp(root) }
    guard let result else { throw .cancelled }
    let server = try result.get()
    guard let portal = server.portal else { return nil }
    guard let token = server.token else { return try await askForServer(challenge, root, portal) }
    return challenge.request.carrying(
      token, referer: server.referer, in: tokenPlace(for: challenge.url))
  }

  /// The challenge by HTTPS, since nothing secret is sent to a server by HTTP; asking whose the
  /// server is shows whether it answers there.
  private func securedChallenge(
    _ challenge: ArcGISAuthenticationChallenge
  ) -> ArcGISAuthenticationChallenge {
    guard let url = challenge.url.withHTTPS, let host = url.host()?.lowercased(),
      !environment.plainHTTPHosts.contains(host)
    else { return challenge }
    var request = challenge.request
    request.url = url
    return ArcGISAuthenticationChallenge(request: request, kind: challenge.kind)
  }

  /// Signs in at the portal of a server, and gets a token for the server then.
  private func askForServer(
    _ challenge: ArcGISAuthenticationChallenge, _ root: PortalURL, _ portal: PortalURL
  ) async throws(PortalError) -> HTTPRequest? {
    guard try await ask(challenge, at: portal) != nil else { return nil }
    let result = await serverLookups.value(for: root) { await self.lookUp(root) }
    guard let result else { throw .cancelled }
    guard let token = try result.get().token else {
      throw .signInNeeded(host: root.shownHost)
    }
    return challenge.request.carrying(
      token, referer: TokenService.referer, in: tokenPlace(for: challenge.url))
  }

  /// Asks a server whose it is, and our portal for a token for it.
  ///
  /// That a server names our portal proves nothing: only the portal is shown its own token, and
  /// decides whether the server is one of its.
  private func lookUp(_ root: PortalURL) async -> Result<FederatedServer, PortalError> {
    if let known = servers[root], known.token != nil { return .success(known) }
    do {
      guard let portal = try await owner(of: root) else { return .success(FederatedServer()) }
      guard let credential = accounts?[portal]?.credential else {
        return .success(FederatedServer(portal: portal))
      }
      let token = try await serverToken(for: root, credential, at: portal)
      let server = FederatedServer(
        portal: portal, token: token, referer: token == nil ? nil : TokenService.referer)
      if token != nil, accounts?[portal] != nil { servers[root] = server }
      return .success(server)
    } catch {
      return .failure(error)
    }
  }

  /// Our portal that a server belongs to; `nil` if it is none of ours or does not say.
  private func owner(of root: PortalURL) async throws(PortalError) -> PortalURL? {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let info: JSONValue
    do {
      info = try await client.json(root.root.appending(path: "rest/info"))
    } catch .cancelled {
      throw .cancelled
    } catch {
      // A server that does not answer this is no federated one; its refusal stands.
      return nil
    }
    let owner = info["owningSystemUrl"]?.string.flatMap { URL(string: $0) }
      .flatMap(PortalURL.init(root:))
    // A server with users of its own makes no tokens for others.
    let portals = (accounts ?? [:]).filter { !$0.value.isServer }
    let ours = Set(portals.keys).union(currentPortal.map { [$0] } ?? [])
    return ours.first { $0 == owner && CredentialScope(portal: $0).mayFederate(root.root) }
  }

  /// A token for a server; `nil` if the portal wants a new sign-in first.
  private func serverToken(
    for server: PortalURL, _ credential: Credential, at portal: PortalURL
  ) async throws(PortalError) -> Secret? {
    let tokens = tokens(of: portal)
    do {
      return try await tokens.serverToken(for: server.root, token: credential.token).secret
    } catch .signInNeeded {
      guard credential.isRenewable,
        case .renewed(let fresh) = try await renewal(of: credential, at: portal)
      else { return nil }
      return try await tokens.serverToken(for: server.root, token: fresh.token).secret
    }
  }
}

extension TokenService.Grant {
  /// The token of a `generateToken` grant.
  var secret: Secret? { body["token"]?.string.map(Secret.init) }
}
