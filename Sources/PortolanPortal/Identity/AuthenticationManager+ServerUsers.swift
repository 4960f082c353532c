public import Foundation
internal import PortolanTransport

/// Users of servers that keep their own, beside those of portals.
extension AuthenticationManager {
  /// Everyone signed in at a server that keeps users of its own, the latest last.
  ///
  /// - Throws: ``SignInFailure/storage(_:)``.
  public func serverAccounts() async throws(PortalError) -> [PortalAccount] {
    try await orderedAccounts().filter(\.isServer)
  }

  /// Signs in to a server as one of its own users; all requests to it carry its token from then on.
  ///
  /// - Parameters:
  ///   - service: The address of a service on the server, or of its root.
  ///   - username: The name that the server knows.
  ///   - password: The password, which is not kept.
  /// - Returns: The account, which is stored.
  /// - Throws: ``SignInFailure/refused(host:reason:)``, ``SignInFailure/plainHTTP(host:)``,
  ///   ``PortalError/unexpected(_:reason:)`` if the server has no sign-in of its own.
  @discardableResult public func signIn(
    toServerOf service: URL, username: String, password: Secret
  ) async throws(PortalError) -> PortalAccount {
    try await signIn(
      by: signIn(ofServerOf: service), username: username, password: password)
  }

  /// Finds out where a server signs in its own users; no password is sent.
  ///
  /// - Parameter service: The address of a service on the server, or of its root.
  /// - Returns: What ``signIn(by:username:password:)`` takes.
  /// - Throws: ``SignInFailure/plainHTTP(host:)``, ``PortalError/unexpected(_:reason:)`` if the server has no
  ///   sign-in of its own, or is a portal that somebody is signed in to.
  public func signIn(ofServerOf service: URL) async throws(PortalError) -> ServerSignIn {
    let root = try Self.root(ofServer: service)
    try await requireServer(at: root)
    return try await ServerSignIn(of: root, transport, environment)
  }

  /// Signs in to a server as one of its own users; all requests to it carry its token from then on.
  ///
  /// - Parameters:
  ///   - signIn: Where the server signs in its users.
  ///   - username: The name that the server knows.
  ///   - password: The password, which is not kept.
  /// - Returns: The account, which is stored.
  /// - Throws: ``SignInFailure/refused(host:reason:)``.
  @discardableResult public func signIn(
    by signIn: ServerSignIn, username: String, password: Secret
  ) async throws(PortalError) -> PortalAccount {
    let root = signIn.root
    try await requireServer(at: root)
    let grant = try await signIn.grant(username: username, password: password)
    // Who has given up is not signed in by an answer that has come all the same.
    guard !Task.isCancelled else { throw .cancelled }
    let account = PortalAccount(
      portal: root, username: username, signedIn: environment.now(),
      credential: .token(grant.tokenCredential), clockLead: grant.time.lead, isServer: true)
    do {
      try await store.save(account)
    } catch {
      throw .signIn(.storage(error))
    }
    setAccount(account, at: root)
    return account
  }

  /// Removes the credentials of a server's own user.
  ///
  /// - Parameter service: The address of a service on the server, or of its root.
  /// - Returns: Who was signed in.
  /// - Throws: ``SignInFailure/notSignedIn(host:)``, ``SignInFailure/storage(_:)``.
  @discardableResult public func signOut(
    ofServerOf service: URL
  ) async throws(PortalError) -> PortalAccount {
    let root = try Self.root(ofServer: service)
    guard let account = try await readAccounts()[root], account.isServer else {
      throw .signIn(.notSignedIn(host: root.shownHost))
    }
    _ = try await signOut(of: root)
    return account
  }

  /// The account whose token the server of `url` has made, for its own user.
  func serverAccount(covering url: URL) -> PortalAccount? {
    guard let place = url.serverRoot.flatMap(PortalURL.init(root:)),
      let account = accounts?[place], account.isServer,
      // Equal roots may differ in scheme, and what one may know may not travel by the other.
      account.portal.usesPlainHTTP == place.usesPlainHTTP
    else { return nil }
    return account
  }

  /// The request with the token of a server's own user, which cannot be renewed; without it where the server
  /// calls it invalid, since it does so for services that need none as well.
  ///
  /// - Throws: ``PortalError/signInNeeded(host:)`` if the server has refused both.
  func retry(
    _ challenge: ArcGISAuthenticationChallenge, asUserOfServer account: PortalAccount
  ) throws(PortalError) -> HTTPRequest {
    let needed = PortalError.signInNeeded(host: challenge.url.shownHost ?? account.portal.shownHost)
    guard let credential = account.credential else { throw needed }
    guard credential.token == challenge.request.token else {
      guard credential.token != invalidServerTokens[account.portal] else { throw needed }
      return carrying(credential, in: challenge.request)
    }
    guard challenge.kind == .tokenInvalid else { throw needed }
    invalidServerTokens[account.portal] = credential.token
    return challenge.request.carrying(
      nil, referer: nil, in: challenge.request.tokenPlace ?? .header)
  }

  /// Makes sure that the credentials of a server do not take the place of those of a portal.
  private func requireServer(at root: PortalURL) async throws(PortalError) {
    let known = try await loadedAccounts()[root]
    guard known?.isServer ?? true else {
      throw .unexpected(root.root.withoutSecrets, reason: "it is a portal and no server")
    }
  }

  private static func root(ofServer service: URL) throws(PortalError) -> PortalURL {
    guard let root = PortalURL(serverOf: service) else {
      throw .unexpected(service.withoutSecrets, reason: "it is no address of a server")
    }
    return root
  }
}
