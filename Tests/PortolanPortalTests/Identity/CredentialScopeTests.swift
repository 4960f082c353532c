import Foundation
import PortolanJSON
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

@Suite struct CredentialScopeTests {
  @Test(
    arguments: [
      ("https://www.arcgis.com", "https://services1.arcgis.com/x/arcgis/rest/services", true),
      ("https://org.maps.arcgis.com", "https://www.arcgis.com/sharing/rest/search", true),
      ("https://www.arcgis.com", "http://services1.arcgis.com/x", false),
      ("https://www.arcgis.com", "https://arcgis.com.example.org/x", false),
      ("https://www.arcgis.com", "https://myarcgis.com/x", false),
      ("https://www.arcgis.com", "https://s3.amazonaws.com/x?token=1", false),
      ("https://gis.example.org/portal", "https://gis.example.org/server/rest/services", true),
      ("https://gis.example.org/portal", "https://GIS.example.org:443/portal/sharing", true),
      ("https://gis.example.org/portal", "http://gis.example.org/portal", false),
      ("https://gis.example.org/portal", "https://gis.example.org:6443/arcgis", false),
      ("https://gis.example.org/portal", "https://www.arcgis.com/sharing/rest", false),
      ("https://gis.example.org/portal", "https://gis.example.org.evil.net/portal", false),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080/rest/services", true),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8081/rest/services", false),
      ("https://gis.example.org/arcgis.com", "https://services.arcgis.com/", false),
    ])
  func `A token goes to its portal only`(
    _ portal: String, _ address: String, _ isWithin: Bool
  ) throws {
    let portal = try #require(URL(string: portal).flatMap(PortalURL.init(root:)))
    let url = try #require(URL(string: address))
    #expect(CredentialScope(portal: portal).contains(url) == isWithin)
  }

  @Test func `Strangers get no token even if they ask for one`() async throws {
    let site = ScriptedPortal()
    let manager = AuthenticationManager(
      store: InMemoryCredentialStore(), transport: site.transport,
      prompter: ScriptedPerson { _ in .signedIn },
      environment: IdentityEnvironment(now: { AuthenticationManagerTests.now }))
    try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    await manager.use(ScriptedPortal.portal)
    let client = RESTClient(transport: site.transport, authenticator: manager)
    for address in ["https://evil.example.net/x", "https://evil.example.net/a/rest/services/b"] {
      let url = try #require(URL(string: address))
      await #expect(throws: PortalError.self) { try await client.json(url) }
    }
    for request in site.requests where request.url.host() == "evil.example.net" {
      #expect(request.bearer == nil)
      #expect(request.headers["Referer"] == nil)
    }
  }

  @Test func `A federated server gets a token of its own`() async throws {
    let site = ScriptedPortal()
    let manager = AuthenticationManager(
      store: InMemoryCredentialStore(), transport: site.transport,
      prompter: NoAuthenticationPrompts(),
      environment: IdentityEnvironment(now: { AuthenticationManagerTests.now }))
    try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    let client = RESTClient(transport: site.transport, authenticator: manager)
    let layer = try #require(URL(string: "https://maps.example.org/server/rest/services/A/0"))
    for _ in 0..<3 { #expect(try await client.json(layer)["id"] == "1") }
    #expect(site.requests(to: "server/rest/info").count == 1)
    #expect(site.requests(to: "generateToken").count == 2)
    let sent = site.requests.filter { $0.url.host() == "maps.example.org" }.compactMap(\.bearer)
    #expect(Set(sent) == ["secret-token-2"])
    _ = try await manager.signOut(of: ScriptedPortal.portal)
    #expect(try await manager.authorize(HTTPRequest(layer)).bearer == nil)
  }

  @Test func `A server's refused token is fetched again`() async throws {
    let site = ScriptedPortal()
    let manager = AuthenticationManager(
      store: InMemoryCredentialStore(), transport: site.transport,
      prompter: NoAuthenticationPrompts(),
      environment: IdentityEnvironment(now: { AuthenticationManagerTests.now }))
    try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    let client = RESTClient(transport: site.transport, authenticator: manager)
    let layer = try #require(URL(string: "https://maps.example.org/server/rest/services/A/0"))
    _ = try await client.json(layer)
    site.state.withLock { _ = $0.validTokens.remove("secret-token-2") }
    #expect(try await client.json(layer)["id"] == "1")
    #expect(site.requests(to: "generateToken").count == 3)
  }
}
