public import Foundation
public import PortolanPortal
public import PortolanTransport

/// Finds the portal that an address means, and connects to it with the credentials there are.
public actor PortalConnector: PortalConnecting {
  private let manager: AuthenticationManager
  private let transport: any HTTPTransport
  private let chosen: String?
  private let chosenBy: String?
  private let plainHTTPHosts: Set<String>
  private let now: @Sendable () -> Date
  private let clock: any Clock<Duration>
  private let documents: (any DocumentCache)?
  /// Typed addresses that have been found out.
  private var found: [String: PortalURL] = [:]

  /// Creates a connector.
  ///
  /// - Parameters:
  ///   - manager: Who is signed in where.
  ///   - transport: What sends requests.
  ///   - chosen: The portal that settings name; without one the last portal with a sign-in.
  ///   - chosenBy: Which of them names it, for messages.
  ///   - plainHTTPHosts: Hosts that may be asked without encryption.
  ///   - documents: Keeps which portals have been found, for when they cannot be asked.
  ///   - clock: Measures how long portals and services are waited for of which something is kept.
  ///   - now: The time.
  public init(
    manager: AuthenticationManager, transport: any HTTPTransport, chosen: String?,
    chosenBy: String? = nil, plainHTTPHosts: Set<String> = [],
    documents: (any DocumentCache)? = nil,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date
  ) {
    self.clock = clock
    self.documents = documents
    self.manager = manager
    self.transport = transport
    self.chosen = chosen
    self.chosenBy = chosenBy
    self.plainHTTPHosts = plainHTTPHosts
    self.now = now
  }

  public func portal(at url: URL?) async throws(PortalError) -> Portal {
    let portal = try await locate(url?.absoluteString)
    await manager.use(portal)
    let client = RESTClient(transport: transport, authenticator: manager, clock: clock)
    return Portal(url: portal.root, client: client)
  }

  /// The connection to one server that keeps its own users, as one of them.
  ///
  /// - Parameters:
  ///   - service: The address of a service on it.
  ///   - username: The name that the server knows.
  ///   - password: The password, which is not kept.
  /// - Returns: A client whose requests to that server carry its token.
  /// - Throws: `PortolanPortal.PortalError`, also for a wrong password.
  public func client(
    forServerOf service: URL, username: String, password: Secret
  ) async throws(PortalError) -> RESTClient {
    let authenticator = try await ServerAuthenticator.signIn(
      toServerOf: service, username: username, password: password, transport: transport,
      environment: IdentityEnvironment(now: now, plainHTTPHosts: plainHTTPHosts))
    return RESTClient(transport: transport, authenticator: authenticator, clock: clock)
  }

  /// Whether a portal still accepts the sign-in there; `nil` if it takes long to say.
  func isSignInAccepted(at portal: PortalURL) async throws(PortalError) -> Bool? {
    let manager = manager
    let timeout = FallbackTimeout(limit: Self.checkLimit, clock: clock)
    let result = await timeout.value { () -> Result<Bool?, PortalError> in
      do throws(PortalError) {
        return .success(try await manager.isSignInAccepted(at: portal))
      } catch {
        return .failure(error)
      }
    } instead: {
      .success(nil)
    }
    guard let result else { throw .cancelled }
    return try result.get()
  }

  /// The time that a portal may take to say whether it accepts a sign-in.
  private static let checkLimit = Duration.seconds(10)

  /// The portal that a typed address means, else the one that is used without any.
  ///
  /// Asks nothing after a sign-in, so that it works without a network.
  public func locate(_ typed: String?) async throws(PortalError) -> PortalURL {
    guard let text = typed ?? chosen else {
      return try await manager.signedInAccounts().last?.portal ?? .arcGISOnline
    }
    if let known = found[text] { return known }
    let candidates = try candidates(text, isTyped: typed != nil)
    if let known = try await known(among: candidates) {
      found[text] = known
      return known
    }
    let portal = try await probe(candidates, typed: text)
    found[text] = portal
    return portal
  }

  /// The portals that a text may mean; what a setting got wrong is said of the setting, since nobody has
  /// typed it now.
  private func candidates(
    _ text: String, isTyped: Bool
  ) throws(PortalError) -> [PortalURL] {
    do throws(PortalError) {
      return try PortalURL.candidates(typed: text, allowingPlainHTTP: plainHTTPHosts)
    } catch {
      guard !isTyped, let chosenBy, case .signIn(.badAddress(let shown)) = error else {
        throw error
      }
      throw .signIn(.badSetting(shown, named: chosenBy))
    }
  }

  /// The portal among candidates; where none can be asked, or none answers within two seconds, the one
  /// that was found before.
  private func probe(
    _ candidates: [PortalURL], typed text: String
  ) async throws(PortalError) -> PortalURL {
    let (address, documents) = ("portal \(text)", documents)
    let probe = PortalProbe(transport: transport)
    let result = await FallbackTimeout(clock: clock).value { () -> Result<PortalURL, PortalError> in
      do throws(PortalError) {
        let portal = try await probe.portal(among: candidates)
        await documents?.keep(
          CachedDocument(body: Data(portal.description.utf8), contentType: "text/plain"),
          for: address)
        return .success(portal)
      } catch {
        return .failure(error)
      }
    } instead: {
      await PortalConnector.kept(address, among: candidates, in: documents).map { .success($0) }
    }
    guard let result else { throw .cancelled }
    do throws(PortalError) { return try result.get() } catch {
      guard error.isWithoutAnswer,
        let portal = await Self.kept(address, among: candidates, in: documents)
      else { throw error }
      return portal
    }
  }

  private static func kept(
    _ address: String, among candidates: [PortalURL], in documents: (any DocumentCache)?
  ) async -> PortalURL? {
    guard let kept = await documents?.document(for: address) else { return nil }
    return candidates.first { Data($0.description.utf8) == kept.body }
  }

  private func known(among candidates: [PortalURL]) async throws(PortalError) -> PortalURL? {
    if let online = candidates.first, online.isArcGISOnline { return online }
    let portals = try await manager.signedInAccounts().map(\.portal)
    // The root as it was signed in to, which may differ in scheme from the one that was typed; but who
    // asks for a protected connection gets no other.
    return candidates.lazy.compactMap { candidate in
      portals.first { $0 == candidate && (candidate.usesPlainHTTP || !$0.usesPlainHTTP) }
    }.first
  }
}
