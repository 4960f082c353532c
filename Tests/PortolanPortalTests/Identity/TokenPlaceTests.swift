import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

/// The place of tokens in requests, and their addresses.
@Suite struct TokenPlaceTests {
  private static let now = AuthenticationManagerTests.now
  private static let layer = URL(
    string: "https://gis.example.org/server/rest/services/A/FeatureServer/0")!

  private func account(at portal: String, token: String) throws -> PortalAccount {
    PortalAccount(
      portal: try #require(URL(string: portal).flatMap(PortalURL.init(root:))), username: "kim",
      signedIn: Self.now,
      credential: .pregenerated(PregeneratedTokenCredential(token: Secret(token))))
  }

  private func client(
    _ transport: StubTransport, _ accounts: PortalAccount...,
    environment: IdentityEnvironment = IdentityEnvironment(now: { now })
  ) -> RESTClient {
    RESTClient(
      transport: transport,
      authenticator: AuthenticationManager(
        store: InMemoryCredentialStore(accounts), transport: transport,
        prompter: NoAuthenticationPrompts(), environment: environment))
  }

  /// A server that reads only the parameter.
  private func parameterServer() -> StubTransport {
    StubTransport {
      .json(
        $0.parameters["token"] == "abc-token"
          ? #"{"id":"1"}"# : #"{"error":{"code":499,"message":"Token Required"}}"#, to: $0)
    }
  }

  @Test func `A server that reads no header gets the token as a parameter, and is remembered`()
    async throws
  {
    let transport = parameterServer()
    let client = client(
      transport, try account(at: "https://gis.example.org/portal", token: "abc-token"))
    for _ in 0..<2 { #expect(try await client.json(Self.layer)["id"] == "1") }
    let ids = (1...1000).map(String.init).joined(separator: ",")
    #expect(try await client.json(Self.layer, ["objectIds": ids])["id"] == "1")
    let sent = transport.requests
    #expect(sent.map(\.tokenPlace) == [.header, .parameter, .parameter, .parameter])
    #expect(sent.last?.url.query() == nil)
    #expect(sent.last?.parameters["objectIds"] == ids)
  }

  @Test func `A token that helps in neither place goes back to the header`() async throws {
    let transport = StubTransport {
      .json(#"{"error":{"code":499,"message":"Token Required"}}"#, to: $0)
    }
    let client = client(
      transport, try account(at: "https://gis.example.org/portal", token: "abc-token"))
    for _ in 0..<2 {
      await #expect(throws: PortalError.signInNeeded(host: "gis.example.org")) {
        try await client.json(Self.layer)
      }
    }
    #expect(transport.requests.map(\.tokenPlace) == [.header, .parameter, .header, .parameter])
    #expect(transport.requests[2].url.query()?.contains("abc-token") != true)
  }

  @Test func `A server with its own users gets its token as a parameter, too`() async throws {
    let transport = StubTransport { request in
      switch request.url.lastPathComponent {
      case "info":
        let service = "https://gis.example.org/server/tokens/generateToken"
        return .json(#"{"authInfo":{"tokenServicesUrl":"\#(service)"}}"#, to: request)
      case "generateToken": return .json(#"{"token":"abc-token"}"#, to: request)
      default:
        return .json(
          request.parameters["token"] == "abc-token"
            ? "{}" : #"{"error":{"code":499,"message":"Token Required"}}"#, to: request)
      }
    }
    let authenticator = try await ServerAuthenticator.signIn(
      toServerOf: Self.layer, username: "kim", password: Secret("x"), transport: transport,
      environment: IdentityEnvironment(now: { Self.now }))
    let client = RESTClient(transport: transport, authenticator: authenticator)
    for _ in 0..<2 { _ = try await client.json(Self.layer) }
    #expect(
      transport.requests.suffix(3).map(\.tokenPlace) == [.header, .parameter, .parameter])
  }

  @Test(arguments: [
    ("http://services.arcgis.com/a/arcgis/rest/services/B", "https://services.arcgis.com/"),
    ("http://services.arcgisonline.com:80/ArcGIS/rest", "https://services.arcgisonline.com/"),
    ("http://gis.example.org/server/rest/services/A", "https://gis.example.org/"),
    ("http://GIS.example.org/server", "https://gis.example.org/"),
    ("http://gis.example.org:6080/server", "http://gis.example.org:6080/"),
    ("http://other.example.org/server", "http://other.example.org/"),
    ("http://127.0.0.1/server", "http://127.0.0.1/"),
    ("http://plain.example.org/server", "http://plain.example.org/"),
    ("http://arcgis.com.example.org/x", "http://arcgis.com.example.org/"),
  ])
  func `Layers that web maps name by http are asked by https where a portal is`(
    _ address: String, _ expected: String
  ) async throws {
    let transport = StubTransport { .json("{}", to: $0) }
    let client = client(
      transport, try account(at: "https://gis.example.org/portal", token: "abc-token"),
      try account(at: "https://plain.example.org/portal", token: "abc-token"),
      environment: IdentityEnvironment(now: { Self.now }, plainHTTPHosts: ["plain.example.org"]))
    _ = try await client.json(try #require(URL(string: address)))
    let sent = try #require(transport.requests.first)
    #expect(sent.url.absoluteString.lowercased().hasPrefix(expected))
    #expect((sent.token != nil) == expected.contains("https://gis"))
  }

  @Test func `A private item requires a sign-in, and tells other users that they lack access`()
    async throws
  {
    let transport = StubTransport {
      .json(
        #"{"error":{"code":403,"messageCode":"GWM_0003","message":"You do not have permissions"}}"#,
        to: $0)
    }
    await #expect(throws: PortalError.signInNeeded(host: "gis.example.org")) {
      try await client(transport).json(ScriptedPortal.item)
    }
    let known = client(
      transport, try account(at: "https://gis.example.org/portal", token: "abc-token"))
    let error = await #expect(throws: PortalError.self) {
      try await known.json(ScriptedPortal.item)
    }
    guard case .notPermitted = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `A token that a server quotes is not in the message`() async throws {
    for body in [
      #"{"error":{"code":500,"message":"Bad token abc-token","details":["?token=abc-token"]}}"#,
      "<html><title>/rest?token=\(String(repeating: "abc-token", count: 5))</title></html>",
    ] {
      let transport = StubTransport { .json(body, to: $0) }
      let client = client(
        transport, try account(at: "https://gis.example.org/portal", token: "abc-token"))
      let error = await #expect(throws: PortalError.self) { try await client.json(Self.layer) }
      #expect(error?.localizedDescription.contains("abc-token") == false)
    }
  }

  @Test func `A password that a server quotes is not in the message`() async throws {
    let transport = StubTransport {
      .json(#"{"error":{"code":400,"message":"No user with pass%20word or pass word"}}"#, to: $0)
    }
    let manager = AuthenticationManager(
      store: InMemoryCredentialStore(), transport: transport, prompter: NoAuthenticationPrompts(),
      environment: IdentityEnvironment(now: { Self.now }))
    await #expect(
      throws: PortalError.signIn(
        .refused(host: "gis.example.org", reason: "No user with ••• or •••"))
    ) {
      try await manager.signIn(
        to: ScriptedPortal.portal, username: "kim", password: Secret("pass word"))
    }
  }

  @Test func `A long question may be asked twice, and an edit may not`() async throws {
    let transport = StubTransport { .json("{}", to: $0) }
    let client = client(transport)
    let ids = (1...1000).map(String.init).joined(separator: ",")
    _ = try await client.json(Self.layer, ["objectIds": ids])
    _ = try await client.json(Self.layer, ["objectIds": ids], method: .post)
    #expect(transport.requests.map(\.method) == [.post, .post])
    #expect(transport.requests.map(\.isRepeatable) == [true, false])
    #expect(transport.requests.allSatisfy { $0.timeouts.total != nil })
  }
}
