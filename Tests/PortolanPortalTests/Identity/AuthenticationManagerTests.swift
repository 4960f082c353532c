import Foundation
import PortolanJSON
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

@Suite struct AuthenticationManagerTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)
  let site = ScriptedPortal()
  let store = InMemoryCredentialStore()

  func manager(
    asking person: any AuthenticationPrompting = NoAuthenticationPrompts(), now: Date = now
  ) -> AuthenticationManager {
    AuthenticationManager(
      store: store, transport: site.transport, prompter: person,
      environment: IdentityEnvironment(now: { now }))
  }

  func client(_ manager: AuthenticationManager) -> RESTClient {
    RESTClient(transport: site.transport, authenticator: manager)
  }

  /// Signs in by OAuth with the code that the portal knows.
  @discardableResult func signInByOAuth(
    _ manager: AuthenticationManager, code: String = "code-1"
  ) async throws -> PortalAccount {
    let authorization = try await manager.beginAuthorization(
      at: ScriptedPortal.portal, clientID: "app", redirectURI: OAuthAuthorization.outOfBand)
    return try await manager.finish(authorization, code: Secret(code))
  }

  @Test func `A user who signs in with a password is known by name, and the password is not kept`()
    async throws
  {
    let manager = manager()
    let account = try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    #expect(account.username == "kim")
    #expect(account.fullName == "Kim Reed")
    #expect(account.organization == "Harbour Survey")
    #expect(account.expires == Date(timeIntervalSince1970: 1_800_003_600))
    #expect(try await store.accounts() == [account])
    let kept = String(decoding: AccountDocument(try await store.accounts()).data, as: UTF8.self)
    #expect(!kept.contains(ScriptedPortal.password.value))
    let asked = try #require(site.requests(to: "generateToken").first)
    #expect(asked.method == .post)
    #expect(asked.url.query() == nil)
    #expect(asked.parameters["client"] == "referer")
    #expect(asked.parameters["referer"] == asked.headers["Referer"])
    #expect(try await client(manager).json(ScriptedPortal.item)["id"] == "1")
    let sent = try #require(site.requests(to: "items/1").first)
    #expect(sent.headers["Referer"] == asked.parameters["referer"])
    #expect(sent.url.query()?.contains("token") != true)
  }

  @Test func `A wrong password is refused in the portal's words and stores nothing`() async throws {
    await #expect(
      throws: PortalError.signIn(
        .refused(
          host: "gis.example.org",
          reason: "Unable to generate token. Invalid username or password."))
    ) {
      try await manager().signIn(
        to: ScriptedPortal.portal, username: "kim", password: Secret("wrong"))
    }
    #expect(try await store.accounts().isEmpty)
  }

  @Test(arguments: [500, 503])
  func `A portal that has failed has refused nobody`(_ status: Int) async throws {
    site.state.withLock { state in
      state.tokenAnswer = { .data(Data("<html>".utf8), status: status, to: $0) }
    }
    let error = await #expect(throws: PortalError.self) {
      try await manager().signIn(
        to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    }
    guard case .server(_, let envelope) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(envelope.code == status)
    #expect(try await store.accounts().isEmpty)
  }

  @Test func `A wrong code is refused`() async {
    await #expect(
      throws: PortalError.signIn(.refused(host: "gis.example.org", reason: "Bad code"))
    ) { try await signInByOAuth(manager(), code: "code-2") }
  }

  @Test func `Nothing secret goes to another machine without encryption`() async throws {
    let plain = try #require(PortalURL(root: URL(string: "http://gis.example.org/portal")!))
    let manager = manager()
    let refusal = PortalError.signIn(.plainHTTP(host: "gis.example.org"))
    await #expect(throws: refusal) {
      try await manager.signIn(to: plain, username: "kim", password: ScriptedPortal.password)
    }
    await #expect(throws: refusal) { try await manager.signIn(to: plain, apiKey: Secret("key")) }
    await #expect(throws: refusal) {
      try await manager.beginAuthorization(at: plain, clientID: "a", redirectURI: "b")
    }
    await #expect(throws: refusal) {
      try await manager.signIn(to: plain, clientID: "a", clientSecret: Secret("b"))
    }
    #expect(site.requests.isEmpty)
  }

  @Test func `An app and a key sign in, and a wrong key does not`() async throws {
    let manager = manager()
    let app = try await manager.signIn(
      to: ScriptedPortal.portal, clientID: "app", clientSecret: Secret("app-secret"))
    #expect(app.credential?.isRenewable == true)
    let key = try #require(app.credential?.token)
    let account = try await manager.signIn(to: ScriptedPortal.portal, apiKey: key)
    #expect(account.expires == nil)
    await #expect(throws: PortalError.self) {
      try await manager.signIn(to: ScriptedPortal.portal, apiKey: Secret("nonsense"))
    }
    #expect(try await manager.account(at: ScriptedPortal.portal) == account)
  }

  @Test func `A restart without a network leaves everybody signed in and asks nothing`()
    async throws
  {
    let account = try await signInByOAuth(manager())
    site.state.withLock {
      $0.isDown = true
      $0.requests = []
    }
    let restarted = manager(now: Self.now.addingTimeInterval(30 * 86_400))
    #expect(try await restarted.account(at: ScriptedPortal.portal) == account)
    #expect(site.requests.isEmpty)
    await #expect(throws: PortalError.transport(.offline)) {
      try await client(restarted).json(ScriptedPortal.item)
    }
    #expect(try await store.accounts() == [account])
  }

  @Test(arguments: ["498", "499"])
  func `A refused token is renewed once and the request continues`(_ code: String) async throws {
    let manager = manager()
    try await signInByOAuth(manager)
    site.takeBackTokens()
    #expect(try await client(manager).json(ScriptedPortal.item)["id"] == "1")
    #expect(site.requests(to: "token").count == 2)
    let stored = try #require(try await store.accounts().first?.credential)
    #expect(stored.token.value == "secret-token-2")
  }

  @Test func `A token is renewed shortly before it ends, and others wait for that`() async throws {
    try await signInByOAuth(manager())
    let later = manager(now: Self.now.addingTimeInterval(1600))
    let client = client(later)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 {
        group.addTask { try await client.json(ScriptedPortal.item)["id"] == "1" }
      }
      for try await isDone in group { #expect(isDone) }
    }
    #expect(site.requests(to: "token").count == 2)
    #expect(site.requests(to: "items/1").count == 50)
  }

  @Test func `Only the portal's own refusal takes a credential away, and the account stays listed`()
    async throws
  {
    let manager = manager()
    try await signInByOAuth(manager)
    site.takeBackTokens()
    site.state.withLock { $0.refreshTokens = [] }
    await #expect(throws: PortalError.signInNeeded(host: "gis.example.org")) {
      try await client(manager).json(ScriptedPortal.item)
    }
    let account = try #require(try await store.accounts().first)
    #expect(account.credential == nil)
    #expect(account.needsSignIn(at: Self.now))
    #expect(account.fullName == "Kim Reed")
  }

  static let mishaps: [(name: String, answer: @Sendable (HTTPRequest) -> HTTPResponse)] = [
    ("a fault", { .json(#"{"error":{"code":500,"message":"x"}}"#, to: $0) }),
    ("a gateway", { .json("<html>", status: 502, to: $0) }),
    ("too many requests", { .json("{}", status: 429, to: $0) }),
    ("a page", { .json("<html><title>Wi-Fi</title></html>", to: $0) }),
    ("no token", { .json("{}", to: $0) }),
    (
      "an unknown client", { .json(#"{"error":{"code":400,"error":"invalid_client_id"}}"#, to: $0) }
    ),
  ]

  @Test(arguments: mishaps.indices)
  func `Other failures of renewing take nothing away`(_ index: Int) async throws {
    let manager = manager()
    let account = try await signInByOAuth(manager)
    site.takeBackTokens()
    site.state.withLock { $0.tokenAnswer = Self.mishaps[index].answer }
    await #expect(throws: PortalError.self, "\(Self.mishaps[index].name)") {
      try await client(manager).json(ScriptedPortal.item)
    }
    #expect(try await store.accounts() == [account])
    site.state.withLock { $0.tokenAnswer = nil }
    #expect(try await client(manager).json(ScriptedPortal.item)["id"] == "1")
  }

  @Test func `A token that another process has renewed is adopted`() async throws {
    let (one, other) = (manager(), manager())
    try await signInByOAuth(one)
    _ = try await other.signedInAccounts()
    site.takeBackTokens()
    _ = try await client(one).json(ScriptedPortal.item)
    _ = try await client(other).json(ScriptedPortal.item)
    #expect(site.requests(to: "token").count == 2)
  }

  @Test func `Near its end the refresh token is exchanged, or used while it does`() async throws {
    try await signInByOAuth(manager())
    _ = try await client(manager(now: Self.now.addingTimeInterval(1_209_000))).json(
      ScriptedPortal.item)
    let asked = try #require(site.requests(to: "token").last?.parameters)
    #expect(asked["grant_type"] == "exchange_refresh_token")
    #expect(asked["redirect_uri"] == OAuthAuthorization.outOfBand)
  }

  @Test(arguments: [-86_400.0, 86_400.0])
  func `Clocks that disagree are allowed for`(_ lead: TimeInterval) async throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let date = formatter.string(from: Self.now.addingTimeInterval(lead))
    site.state.withLock { $0.date = date }
    let manager = manager()
    let account = try await signInByOAuth(manager)
    #expect(account.clockLead == lead)
    #expect(account.expires == Self.now.addingTimeInterval(1800))
    _ = try await client(manager).json(ScriptedPortal.item)
    #expect(site.requests(to: "token").count == 1)
  }

  @Test func `Signing out takes the tokens back and forgets the account`() async throws {
    let manager = manager()
    try await signInByOAuth(manager)
    #expect(try await manager.signOut(of: ScriptedPortal.portal) == .revoked)
    let asked = try #require(site.requests(to: "revokeToken").first?.parameters)
    #expect(asked["auth_token"] == "refresh-1")
    #expect(asked["token_type_hint"] == "refresh_token")
    #expect(try await store.accounts().isEmpty)
    #expect(try await manager.authorize(HTTPRequest(ScriptedPortal.item)).bearer == nil)
    await #expect(throws: PortalError.signIn(.notSignedIn(host: "gis.example.org"))) {
      try await manager.signOut(of: ScriptedPortal.portal)
    }
  }

  @Test func `Signing out works without a network, and says what could not be done`() async throws {
    let manager = manager()
    try await signInByOAuth(manager)
    site.state.withLock { $0.isDown = true }
    #expect(
      try await manager.signOut(of: ScriptedPortal.portal) == .failed(.transport(.offline)))
    #expect(try await store.accounts().isEmpty)
  }
}
