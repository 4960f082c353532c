import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanCurl

@Suite(.timeLimit(.minutes(5))) struct ProxyTests {
  private func transport(_ environment: [String: String]) -> CurlTransport {
    CurlTransport(CurlConfiguration(userAgent: "Portolan/test", environment: environment))
  }

  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func `Requests go through the proxy that the environment names`(_ name: String) async throws {
    try await ScriptedServer { _ in [.empty] }.run { proxy in
      let url = try #require(URL(string: "http://portal.invalid/x"))
      let environment = [name: "http://user:secret@127.0.0.1:\(proxy.port)"]
      _ = try await transport(environment).send(HTTPRequest(url))
      #expect(proxy.requests.first?.line == "GET http://portal.invalid/x HTTP/1.1")
      #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic dXNlcjpzZWNyZXQ=")
    }
  }

  @Test func `A secure request goes through a tunnel, of which it hears nothing`() async throws {
    let proxy = try ScriptedServer { _ in
      [.text("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), .close]
    }
    try await proxy.run { proxy in
      let url = try #require(URL(string: "https://portal.invalid/x?token=abc"))
      let environment = ["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]
      let error = await #expect(throws: TransportError.self) {
        try await transport(environment).send(HTTPRequest(url))
      }
      #expect(proxy.requests.first?.line == "CONNECT portal.invalid:443 HTTP/1.1")
      #expect(error?.localizedDescription.contains("403") == true)
    }
  }

  @Test(arguments: ["127.0.0.1", "*", "other.org,127.0.0.1"])
  func `Hosts that are excepted are asked directly`(_ exceptions: String) async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      let environment = ["http_proxy": "http://127.0.0.1:9", "no_proxy": exceptions]
      _ = try await transport(environment).send(HTTPRequest(server.url("/direct")))
      #expect(server.requests.first?.line == "GET /direct HTTP/1.1")
    }
  }

  @Test func `Values that a client could set are not taken for a proxy's`() {
    #expect(ProxySettings(environment: ["HTTP_PROXY": "http://evil"]).http == nil)
    #expect(ProxySettings(environment: ["http_proxy": ""]).http == nil)
  }

  @Test func `An unknown proxy is named`() async throws {
    let url = try #require(URL(string: "http://portal.invalid/x"))
    let environment = ["http_proxy": "http://proxy.invalid:3128"]
    let error = await #expect(throws: TransportError.self) {
      try await transport(environment).send(HTTPRequest(url))
    }
    #expect(error?.localizedDescription.contains("proxy") == true)
  }
}
