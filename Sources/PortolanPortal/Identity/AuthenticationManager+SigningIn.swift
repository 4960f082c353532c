internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

extension AuthenticationManager {
  /// Signs in with a user name and a password, which is not kept.
  ///
  /// - Returns: The account, which is stored.
  /// - Throws: ``SignInFailure/refused(host:reason:)`` for a wrong password,
  ///   ``SignInFailure/plainHTTP(host:)``, or what the transport says.
  @discardableResult public func signIn(
    to portal: PortalURL, username: String, password: Secret
  ) async throws(PortalError) -> PortalAccount {
    try environment.requirePrivacy(of: portal)
    let grant = try await tokens(of: portal).refusable { () async throws(PortalError) in
      try await self.tokens(of: portal).token(username: username, password: password)
    }
    return try await welcome(
      .token(grant.tokenCredential), to: portal, username: username, clockLead: grant.time.lead)
  }

  /// Signs in with an API key, or another token made elsewhere.
  ///
  /// - Returns: The account, which is stored.
  /// - Throws: ``SignInFailure/refused(host:reason:)`` if the portal does not know the key.
  @discardableResult public func signIn(
    to portal: PortalURL, apiKey: Secret
  ) async throws(PortalError) -> PortalAccount {
    try environment.requirePrivacy(of: portal)
    let credential = Credential.pregenerated(PregeneratedTokenCredential(token: apiKey))
    return try await welcome(credential, to: portal, username: nil, clockLead: 0)
  }

  /// Signs in as an app, with its secret.
  ///
  /// - Returns: The account, which is stored with the secret, since its tokens are short-lived.
  /// - Throws: ``SignInFailure/refused(host:reason:)``.
  @discardableResult public func signIn(
    to portal: PortalURL, clientID: String, clientSecret: Secret
  ) async throws(PortalError) -> PortalAccount {
    try environment.requirePrivacy(of: portal)
    let (credential, lead) = try await tokens(of: portal).refusable {
      () async throws(PortalError) in
      try await self.applicationCredential(at: portal, clientID: clientID, secret: clientSecret)
    }
    return try await welcome(credential, to: portal, username: nil, clockLead: lead)
  }

  /// Begins a sign-in by OAuth; the user finishes it on ``OAuthAuthorization/page``.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - clientID: The app, as it is registered there.
  ///   - redirectURI: Where the portal sends its answer, or ``OAuthAuthorization/outOfBand``.
  /// - Returns: What waits for the code.
  /// - Throws: ``SignInFailure/plainHTTP(host:)``.
  public func beginAuthorization(
    at portal: PortalURL, clientID: String, redirectURI: String
  ) throws(PortalError) -> OAuthAuthorization {
    try environment.requirePrivacy(of: portal)
    return try OAuthAuthorization(
      portal: portal, clientID: clientID, redirectURI: redirectURI, random: environment.random)
  }

  /// Finishes a sign-in by OAuth.
  ///
  /// - Parameters:
  ///   - authorization: What was begun.
  ///   - code: The code that the portal has answered with.
  /// - Returns: The account, which is stored.
  /// - Throws: ``SignInFailure/refused(host:reason:)`` for a wrong or old code.
  @discardableResult public func finish(
    _ authorization: OAuthAuthorization, code: Secret
  ) async throws(PortalError) -> PortalAccount {
    let portal = authorization.portal
    try environment.requirePrivacy(of: portal)
    let grant = try await tokens(of: portal).refusable { () async throws(PortalError) in
      try await self.tokens(of: portal).oauth(
        "authorization_code",
        [
          "client_id": authorization.clientID, "code": code.value,
          "redirect_uri": authorization.redirectURI,
          "code_verifier": authorization.verifier.value,
        ])
    }
    let refreshToken = grant.body["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let credential = OAuthUserCredential(
      clientID: authorization.clientID, redirectURI: authorization.redirectURI,
      accessToken: Secret(grant.body["access_token"]?.string ?? ""),
      expires: grant.date(in: "expires_in"), refreshToken: refreshToken.map(Secret.init),
      refreshExpires: grant.date(in: "refresh_token_expires_in"))
    return try await welcome(
      .oauthUser(credential), to: portal, username: grant.body["username"]?.string,
      clockLead: grant.time.lead)
  }

  func applicationCredential(
    at portal: PortalURL, clientID: String, secret: Secret
  ) async throws(PortalError) -> (Credential, TimeInterval) {
    let grant = try await tokens(of: portal).oauth(
      "client_credentials", ["client_id": clientID, "client_secret": secret.value])
    let credential = OAuthApplicationCredential(
      clientID: clientID, clientSecret: secret,
      accessToken: Secret(grant.body["access_token"]?.string ?? ""),
      expires: grant.date(in: "expires_in"))
    return (.oauthApplication(credential), grant.time.lead)
  }

  /// Asks who this is, and stores the account.
  private func welcome(
    _ credential: Credential, to portal: PortalURL, username: String?, clockLead: TimeInterval
  ) async throws(PortalError) -> PortalAccount {
    let profile = try await profile(of: credential, at: portal)
    let account = PortalAccount(
      portal: portal, username: profile["user"]?["username"]?.string ?? username,
      fullName: profile["user"]?["fullName"]?.string, organization: profile["name"]?.string,
      signedIn: environment.now(), credential: credential, clockLead: clockLead)
    _ = try await loadedAccounts()
    do {
      try await store.save(account)
    } catch {
      throw .signIn(.storage(error))
    }
    setAccount(account, at: portal)
    servers = servers.filter { $0.value.portal != portal }
    return account
  }

  /// The portal's properties and those of the user who asks; empty if the portal cannot give them
  /// now.
  ///
  /// - Throws: ``SignInFailure/refused(host:reason:)`` if it does not take the token.
  private func profile(
    of credential: Credential, at portal: PortalURL
  ) async throws(PortalError) -> JSONValue {
    let client = RESTClient(
      transport: transport, authenticator: SingleCredential(credential: credential))
    do {
      return try await client.json(portal.resource("portals/self"))
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .signInNeeded:
        throw .signIn(.refused(host: portal.shownHost, reason: "It does not take the token."))
      default: return .null
      }
    }
  }
}

/// Sends requests with one credential, without renewing it.
struct SingleCredential: RequestAuthenticator {
  let credential: Credential

  func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest {
    request.carrying(credential.token, referer: credential.referer)
  }

  func respond(
    to challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest? { nil }
}
