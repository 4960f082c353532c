import Foundation
import PortolanJSON
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

/// Users of servers that keep their own, whose tokens are stored as those of portals are.
@Suite struct ServerUsersTests {
  private static let layer = URL(
    string: "https://maps.example.org/secured/rest/services/Moorings/FeatureServer/0")!

  private let store = InMemoryCredentialStore()
  /// The token that the server takes; it gives the same to those who sign in.
  private let token = Locked("secret-1")

  private var transport: StubTransport {
    StubTransport { [token] request in
      let valid = token.withLock { $0 }
      switch request.url.lastPathComponent {
      case "info" where request.url.host() == "other.example.org":
        return .json(#"{"owningSystemUrl":"https://maps.example.org/secured"}"#, to: request)
      case "info":
        let tokens = "https://maps.example.org/secured/tokens/generateToken"
        return .json(#"{"authInfo":{"tokenServicesUrl":"\#(tokens)"}}"#, to: request)
      case "generateToken" where request.parameters["password"] == "moorings":
        return .json(#"{"token":"\#(valid)","expires":1800003600000}"#, to: request)
      case "FeatureServer":
        // Nobody needs a token for what all services have in common, and a wrong one is refused nevertheless.
        return .json(
          request.bearer ?? valid == valid
            ? "{}" : #"{"error":{"code":498,"message":"Invalid Token"}}"#,
          to: request)
      case "generateToken":
        return .json(
          #"{"error":{"code":400,"message":"Unable to generate token."}}"#, to: request)
      default:
        return .json(
          request.bearer == valid
            ? "{}" : #"{"error":{"code":498,"message":"Invalid Token"}}"#,
          to: request)
      }
    }
  }

  /// The manager of another process, as one that works on jobs.
  private func manager(_ transport: StubTransport) -> AuthenticationManager {
    AuthenticationManager(
      store: store, transport: transport, prompter: NoAuthenticationPrompts(),
      environment: IdentityEnvironment(now: { AuthenticationManagerTests.now }))
  }

  private func signIn(
    _ manager: AuthenticationManager, password: String = "moorings"
  ) async throws -> PortalAccount {
    try await manager.signIn(
      toServerOf: Self.layer, username: "harbormaster", password: Secret(password))
  }

  @Test func `What is refused for want of a sign-in at the server continues after one elsewhere`()
    async throws
  {
    let transport = transport
    let client = RESTClient(transport: transport, authenticator: manager(transport))
    let needed = PortalError.signInNeeded(host: "maps.example.org")
    await #expect(throws: needed) { try await client.json(Self.layer) }
    let account = try await signIn(manager(transport))
    #expect(account.isServer && account.username == "harbormaster")
    #expect(try await store.accounts() == [account])
    #expect(try await client.json(Self.layer) == [:])
    // A token that has expired is that of another sign-in.
    token.withLock { $0 = "secret-2" }
    await #expect(throws: needed) { try await client.json(Self.layer) }
    _ = try await signIn(manager(transport))
    #expect(try await client.json(Self.layer) == [:])
  }

  @Test func `What is public at a server is there for a user whose token has expired`()
    async throws
  {
    let transport = transport
    let manager = manager(transport)
    _ = try await signIn(manager)
    let client = RESTClient(transport: transport, authenticator: manager)
    token.withLock { $0 = "secret-2" }
    let service = Self.layer.deletingLastPathComponent()
    for _ in 1...2 { #expect(try await client.json(service) == [:]) }
    let sent = transport.requests.filter { $0.url.lastPathComponent == "FeatureServer" }
    #expect(sent.map(\.bearer) == ["secret-1", nil, "secret-1", nil])
    await #expect(throws: PortalError.signInNeeded(host: "maps.example.org")) {
      try await client.json(Self.layer)
    }
    let refused = transport.requests.filter { $0.url.lastPathComponent == "0" }
    #expect(refused.map(\.bearer) == ["secret-1", nil])
  }

  @Test func `A user of a server is none of a portal, on the same host neither`() async throws {
    let portal = PortalAccount(
      portal: try #require(
        URL(string: "https://maps.example.org/portal").flatMap(PortalURL.init(root:))),
      username: "kim", signedIn: AuthenticationManagerTests.now,
      credential: .pregenerated(PregeneratedTokenCredential(token: Secret("key"))))
    try await store.save(portal)
    let transport = transport
    let manager = manager(transport)
    let account = try await signIn(manager)
    #expect(try await manager.signedInAccounts() == [portal])
    #expect(try await manager.serverAccounts() == [account])
    let client = RESTClient(transport: transport, authenticator: manager)
    #expect(try await client.json(Self.layer) == [:])
    let item = try #require(URL(string: "https://maps.example.org/portal/sharing/rest/a"))
    await #expect(throws: PortalError.self) { try await client.json(item) }
    #expect(transport.requests.allSatisfy { $0.url != item || $0.bearer == "key" })
    _ = try await manager.signOut(ofServerOf: Self.layer)
    #expect(try await store.accounts() == [portal])
    await #expect(throws: PortalError.signIn(.notSignedIn(host: "maps.example.org"))) {
      try await manager.signOut(ofServerOf: Self.layer)
    }
  }

  @Test func `A server with users of its own is no portal of another that says so`() async throws {
    let transport = transport
    let manager = manager(transport)
    _ = try await signIn(manager)
    let client = RESTClient(transport: transport, authenticator: manager)
    let other = try #require(URL(string: "https://other.example.org/server/rest/services/A"))
    await #expect(throws: PortalError.signInNeeded(host: "other.example.org")) {
      try await client.json(other)
    }
    #expect(transport.requests.allSatisfy { !$0.url.path().contains("sharing") })
  }

  @Test func `A wrong password stores nothing, and does not take the place of a portal`()
    async throws
  {
    let manager = manager(transport)
    await #expect(throws: PortalError.self) { try await signIn(manager, password: "x") }
    #expect(try await store.accounts().isEmpty)
    let portal = PortalAccount(
      portal: try #require(
        URL(string: "https://maps.example.org/secured").flatMap(PortalURL.init(root:))),
      signedIn: AuthenticationManagerTests.now, credential: nil)
    try await store.save(portal)
    _ = try await manager.account(at: portal.portal)
    await #expect(throws: PortalError.self) { try await signIn(manager) }
    #expect(try await store.accounts() == [portal])
  }

  @Test func `It is stored as one of a server`() throws {
    let account = PortalAccount(
      portal: .arcGISOnline, username: "kim", signedIn: AuthenticationManagerTests.now,
      credential: nil, isServer: true)
    let other = PortalAccount(
      portal: .arcGISOnline, signedIn: AuthenticationManagerTests.now, credential: nil)
    let data = AccountDocument([account, other]).data
    #expect(AccountDocument(parsing: data)?.accounts == [account, other])
  }
}
