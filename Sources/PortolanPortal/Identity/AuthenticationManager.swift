internal import Foundation
public import PortolanTransport

/// Signs in and out, and adds to every request the credentials for its URL.
///
/// Credentials come from the store, so that who was signed in still is after a restart, also
/// without a network: nothing is asked of a portal before a request needs it. A refused token is
/// renewed once for all callers; what cannot be renewed becomes one prompt that all waiting
/// requests of a portal share. A request whose task is cancelled leaves the prompt to the others; a
/// prompt that is cancelled fails the requests that wait for it and changes nothing else, and the
/// next request that is refused asks again.
public actor AuthenticationManager: RequestAuthenticator {
  let store: any CredentialStore
  let transport: any HTTPTransport
  let prompter: any AuthenticationPrompting
  let environment: IdentityEnvironment

  /// The accounts by portal, once they have been read.
  var accounts: [PortalURL: PortalAccount]?
  /// The portal that requests to no known host are for.
  var currentPortal: PortalURL?
  /// The servers that are no portals, by their roots.
  var servers: [PortalURL: FederatedServer] = [:]

  /// The state of the store when it was last read.
  var storeState = StoreState()
  /// The servers that read tokens only as a parameter, by root or host.
  var parameterServers: Set<String> = []
  /// The tokens that servers have called invalid, of their own users.
  var invalidServerTokens: [PortalURL: Secret] = [:]

  /// The dates at which tokens were renewed last.
  var renewalDates: [PortalURL: Date] = [:]

  nonisolated let reads = SharedWork<String, Result<Void, CredentialStoreError>>()
  nonisolated let renewals = SharedWork<PortalURL, Result<Renewal, PortalError>>()
  nonisolated let prompts = SharedWork<PortalURL, AuthenticationAnswer>()
  nonisolated let serverLookups = SharedWork<PortalURL, Result<FederatedServer, PortalError>>()

  /// Creates a manager; nothing is read or asked yet.
  public init(
    store: any CredentialStore, transport: any HTTPTransport,
    prompter: any AuthenticationPrompting, environment: IdentityEnvironment
  ) {
    self.store = store
    self.transport = transport
    self.prompter = prompter
    self.environment = environment
  }

  /// Sets the portal to sign in to when a request there is refused without a user.
  public func use(_ portal: PortalURL?) { currentPortal = portal }

  /// Everyone signed in at a portal, the latest last.
  ///
  /// - Throws: ``SignInFailure/storage(_:)``.
  public func signedInAccounts() async throws(PortalError) -> [PortalAccount] {
    try await orderedAccounts().filter { !$0.isServer }
  }

  /// Everyone signed in anywhere, the latest last.
  func orderedAccounts() async throws(PortalError) -> [PortalAccount] {
    // Those of one moment have an order, too: what is shown of them is not to change by itself.
    try await readAccounts().values.sorted {
      ($0.signedIn, $0.portal.root.absoluteString) < ($1.signedIn, $1.portal.root.absoluteString)
    }
  }

  /// The account that is signed in at a portal.
  ///
  /// - Throws: ``SignInFailure/storage(_:)``.
  public func account(at portal: PortalURL) async throws(PortalError) -> PortalAccount? {
    try await readAccounts()[portal]
  }

  public func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest {
    // Without credentials the request goes out as it is; a refusal says why there are none.
    await readAccountsBriefly()
    if Task.isCancelled { throw .cancelled }
    var request = request
    request.url = secured(request.url)
    let place = tokenPlace(for: request.url)
    guard let account = account(covering: request.url) else {
      guard let server = server(covering: request.url) else { return request }
      return request.carrying(server.token, referer: server.referer, in: place)
    }
    guard var credential = account.credential else { return request }
    if credential.isDue(at: environment.now().addingTimeInterval(account.clockLead)) {
      if Task.isCancelled { throw .cancelled }
      // The token at hand may still do; if not, the portal says so and the challenge decides.
      if case .renewed(let fresh)? = try? await renewal(of: credential, at: account.portal) {
        credential = fresh
      }
    }
    return request.carrying(credential.token, referer: credential.referer, in: place)
  }

  public func respond(
    to challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest? {
    if let other = asParameter(challenge) { return other }
    let challenge = withoutParameter(challenge)
    // Another process may have signed in or renewed the token.
    do {
      try await readAccounts()
    } catch {
      guard accounts != nil, error != .cancelled else { throw error }
    }
    if let account = account(covering: challenge.url) {
      guard !account.isServer else { return try retry(challenge, asUserOfServer: account) }
      return try await retry(challenge, as: account)
    }
    if let portal = currentPortal, CredentialScope(portal: portal).contains(challenge.url) {
      return try await ask(challenge, at: portal)
    }
    return try await retryAtServer(challenge)
  }

  /// The account whose token may be shown to `url`.
  func account(covering url: URL) -> PortalAccount? {
    // A server may be on the host of a portal and have nothing to do with it.
    if let server = serverAccount(covering: url) { return server }
    let covering = (accounts ?? [:]).values.filter {
      !$0.isServer && CredentialScope(portal: $0.portal).contains(url)
    }
    return covering.first { $0.portal == currentPortal }
      ?? covering.max { $0.signedIn < $1.signedIn }
  }

  private func retry(
    _ challenge: ArcGISAuthenticationChallenge, as account: PortalAccount
  ) async throws(PortalError) -> HTTPRequest? {
    let sent = challenge.request.token
    if let credential = account.credential {
      // Another request's challenge has provided a new token while this one was in progress.
      if credential.token != sent {
        return carrying(credential, in: challenge.request)
      }
      if credential.isRenewable, !isFresh(account.portal),
        case .renewed(let fresh) = try await renewal(of: credential, at: account.portal)
      {
        return carrying(fresh, in: challenge.request)
      }
    }
    return try await ask(challenge, at: account.portal)
  }

  /// Lets the user sign in at `portal`, together with all others who wait for that.
  func ask(
    _ challenge: ArcGISAuthenticationChallenge, at portal: PortalURL
  ) async throws(PortalError) -> HTTPRequest? {
    let known = accounts?[portal]
    let prompt = AuthenticationPrompt(
      portal: portal, host: challenge.url.shownHost ?? portal.shownHost, username: known?.username,
      reason: known == nil ? .signInNeeded : .expired)
    let prompter = prompter
    let answer = await prompts.value(for: portal) { await prompter.answer(prompt) }
    guard let answer else { throw .cancelled }
    guard answer == .signedIn, let credential = accounts?[portal]?.credential,
      credential.token != challenge.request.token
    else { throw .signInNeeded(host: prompt.host) }
    return carrying(credential, in: challenge.request)
  }
}
