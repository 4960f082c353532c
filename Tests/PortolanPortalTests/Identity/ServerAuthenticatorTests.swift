import Foundation
import PortolanJSON
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

@Suite struct ServerAuthenticatorTests {
  private static let layer = URL(
    string: "https://maps.example.org/secured/rest/services/Moorings/FeatureServer/0")!

  private func server(
    tokenService: String = "https://maps.example.org/secured/tokens/generateToken"
  )
    -> StubTransport
  {
    StubTransport { request in
      switch request.url.lastPathComponent {
      case "info":
        return .json(#"{"authInfo":{"tokenServicesUrl":"\#(tokenService)"}}"#, to: request)
      case "generateToken" where request.parameters["password"] == "moorings":
        return .json(#"{"token":"secret-1","expires":1800003600000}"#, to: request)
      case "generateToken":
        return .json(
          #"{"error":{"code":400,"message":"Unable to generate token."}}"#, to: request)
      default:
        return .json(
          request.bearer == "secret-1"
            ? "{}" : #"{"error":{"code":499,"message":"Token Required"}}"#,
          to: request)
      }
    }
  }

  private func signIn(
    _ transport: StubTransport, password: String = "moorings", to service: URL = layer
  ) async throws -> RESTClient {
    RESTClient(
      transport: transport,
      authenticator: try await ServerAuthenticator.signIn(
        toServerOf: service, username: "harbormaster", password: Secret(password),
        transport: transport,
        environment: IdentityEnvironment(now: { AuthenticationManagerTests.now })))
  }

  @Test func `A server that keeps its own users is asked as one of them`() async throws {
    let transport = server()
    let client = try await signIn(transport)
    _ = try await client.json(Self.layer)
    let asked = try #require(transport.requests.dropFirst().first)
    #expect(asked.url.path() == "/secured/tokens/generateToken")
    #expect(asked.method == .post)
  }

  @Test(arguments: [
    "https://maps.example.org/other/rest/services/A", "https://evil.example.net/secured/rest/x",
    "http://maps.example.org/secured/rest/services/A",
  ])
  func `Its token goes nowhere else`(_ address: String) async throws {
    let transport = server()
    let client = try await signIn(transport)
    let url = try #require(URL(string: address))
    await #expect(throws: PortalError.self) { try await client.json(url) }
    #expect(transport.requests.last?.bearer == nil)
  }

  @Test func `A wrong password is refused`() async {
    await #expect(
      throws: PortalError.signIn(
        .refused(host: "maps.example.org", reason: "Unable to generate token."))
    ) { try await signIn(server(), password: "x") }
  }

  @Test func `A password is not sent without encryption, wherever the server says`() async {
    let transport = server(tokenService: "http://maps.example.org/tokens/generateToken")
    await #expect(throws: PortalError.signIn(.plainHTTP(host: "maps.example.org"))) {
      try await signIn(transport)
    }
    #expect(transport.requests.count == 1)
  }

  @Test(arguments: ["", "not an address", "ftp://x/y"])
  func `A server without a sign-in of its own says so`(_ tokenService: String) async {
    await #expect(throws: PortalError.self) {
      try await signIn(server(tokenService: tokenService))
    }
  }
}
