import Foundation
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct PortalProbeTests {
  private static let info = #"{"authInfo":{"isTokenBasedSecurity":true}}"#

  private func probe(
    _ text: String,
    _ answer: @escaping @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse
  ) async throws -> String {
    let candidates = try PortalURL.candidates(typed: text)
    return try await PortalProbe(transport: StubTransport(answer)).portal(among: candidates)
      .description
  }

  @Test func `The portal is found below the path it was set up with`() async throws {
    let found = try await probe("gis.example.com") { request in
      request.url.path().hasPrefix("/portal/sharing/rest/info")
        ? .json(Self.info, to: request) : .json("<html>", status: 404, to: request)
    }
    #expect(found == "https://gis.example.com/portal")
  }

  @Test func `A portal that hides its info is known by itself`() async throws {
    let found = try await probe("gis.example.com/p") { request in
      request.url.path() == "/p/sharing/rest/portals/self"
        ? .json(#"{"isPortal":true}"#, to: request) : .json("{}", to: request)
    }
    #expect(found == "https://gis.example.com/p")
  }

  @Test func `A server on this machine is asked without encryption if it has none`() async throws {
    let found = try await probe("localhost:8080") { request throws(TransportError) in
      guard request.url.scheme == "http" else {
        throw .untrusted(host: "localhost", reason: "no TLS")
      }
      return .json(Self.info, to: request)
    }
    #expect(found == "http://localhost:8080")
  }

  @Test(
    arguments: [
      "<html><title>Sign in</title></html>", "{}", "[]", "", #"{"error":{"code":400}}"#,
      #"{"authInfo":"x"}"#, #"{"error":{"code":499,"message":"Token Required"}}"#,
    ])
  func `A service that is no portal is reported as such`(_ body: String) async {
    await #expect(throws: PortalError.notAPortal("https://gis.example.com")) {
      try await probe("gis.example.com") { .json(body, to: $0) }
    }
  }

  @Test(arguments: [
    (500, "<html>Internal Server Error</html>"), (503, ""),
    (200, #"{"error":{"code":500,"message":"Unable to complete operation"}}"#),
  ])
  func `A portal that fails is not called something else`(_ status: Int, _ body: String) async {
    let error = await #expect(throws: PortalError.self) {
      try await probe("gis.example.com") { .json(body, status: status, to: $0) }
    }
    #expect(
      error?.errorDescription?.hasPrefix("The server failed at https://gis.example.com/") == true,
      "\(error?.errorDescription ?? "")")
  }

  @Test func `A portal whose info fails is known by itself`() async throws {
    let found = try await probe("gis.example.com/p") { request in
      request.url.path() == "/p/sharing/rest/portals/self"
        ? .json(#"{"isPortal":true}"#, to: request) : .json("", status: 500, to: request)
    }
    #expect(found == "https://gis.example.com/p")
  }

  @Test func `A portal is found below its path where the root of the server fails`() async throws {
    let found = try await probe("gis.example.com") { request in
      request.url.path().hasPrefix("/portal/sharing/rest/info")
        ? .json(Self.info, to: request) : .json("", status: 502, to: request)
    }
    #expect(found == "https://gis.example.com/portal")
  }

  @Test func `For an HTTPS URL of this machine the message says how to connect without encryption`()
  {
    let advice = PortalError.notAPortal("https://localhost:17070").recoverySuggestion
    #expect(advice?.contains("http://localhost:17070.") == true)
    let other = PortalError.notAPortal("https://gis.example.com").recoverySuggestion
    #expect(other?.contains("http://") == false)
  }

  @Test func `Redirects without an end are no portal`() async {
    await #expect(throws: PortalError.notAPortal("https://gis.example.com")) {
      try await probe("gis.example.com") { request throws(TransportError) in
        throw .tooManyRedirects(request.address)
      }
    }
  }

  @Test func `A host that cannot be reached is asked once`() async throws {
    let transport = StubTransport { request throws(TransportError) in throw .offline }
    let candidates = try PortalURL.candidates(typed: "gis.example.com")
    await #expect(throws: PortalError.transport(.offline)) {
      try await PortalProbe(transport: transport).portal(among: candidates)
    }
    #expect(transport.requests.count == 1)
  }
}
