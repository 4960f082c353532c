import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanCurl

/// Certificates as they should be and as they should not, on a server made by `openssl s_server`.
@Suite(.timeLimit(.minutes(5)), .temporaryDirectory, .needsTool("openssl"))
struct TLSTests {
  private func certificate(_ names: String) throws -> (certificate: URL, key: URL) {
    let certificate = temporaryDirectory.appending(path: "certificate.pem")
    let key = temporaryDirectory.appending(path: "key.pem")
    let result = try Tool.run(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(names)",
      "-keyout", key.path(percentEncoded: false),
      "-out", certificate.path(percentEncoded: false))
    #expect(result.status == 0, "\(result.errors)")
    return (certificate, key)
  }

  /// Asks a server with a certificate for `names` once.
  private func ask(
    names: String = "IP:127.0.0.1", trusted: Bool = false, unverified: Set<String> = []
  ) async throws -> HTTPResponse {
    let (certificate, key) = try certificate(names)
    return try await SecureServer.run(certificate: certificate, key: key) { port in
      let environment =
        trusted ? ["SSL_CERT_FILE": certificate.path(percentEncoded: false)] : [:]
      let transport = CurlTransport(
        CurlConfiguration(
          userAgent: "Portolan/test", environment: environment, unverifiedHosts: unverified))
      let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
      return try await transport.send(HTTPRequest(url))
    }
  }

  @Test func `A certificate of an authority from the environment is trusted`() async throws {
    #expect(try await ask(trusted: true).status == 200)
  }

  @Test func `A certificate from an unknown authority is not trusted`() async throws {
    let error = await #expect(throws: TransportError.self) { try await ask() }
    #expect(error?.isUntrusted == true, "\(String(describing: error))")
  }

  @Test func `A certificate for another host is not trusted`() async throws {
    let error = await #expect(throws: TransportError.self) {
      try await ask(names: "DNS:other.org", trusted: true)
    }
    #expect(error?.isUntrusted == true, "\(String(describing: error))")
  }

  @Test func `A person may say that one host is not verified, and no other`() async throws {
    #expect(try await ask(unverified: ["127.0.0.1"]).status == 200)
    let error = await #expect(throws: TransportError.self) {
      try await ask(unverified: ["other.org"])
    }
    #expect(error?.isUntrusted == true, "\(String(describing: error))")
  }

  @Test func `A file of authorities that is not there is named`() async throws {
    let transport = CurlTransport(
      CurlConfiguration(
        userAgent: "Portolan/test", environment: ["CURL_CA_BUNDLE": "/absent/authorities.pem"]))
    let (certificate, key) = try certificate("IP:127.0.0.1")
    try await SecureServer.run(certificate: certificate, key: key) { port in
      let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(url))
      }
      #expect(error?.isUntrusted == true)
      #expect(error?.localizedDescription.contains("/absent/authorities.pem") == true)
    }
  }

  @Test func `A server that speaks no TLS is no surprise`() async throws {
    try await ScriptedServer { _ in [.text("HTTP/1.1 400 Bad\r\n\r\n"), .close] }.run { server in
      let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
      let timeouts = HTTPTimeouts(
        connect: .milliseconds(200), firstByte: .seconds(30), stall: .seconds(30))
      await #expect(throws: TransportError.self) {
        try await CurlTransport(CurlConfiguration(userAgent: "Portolan/test"))
          .send(HTTPRequest(url, timeouts: timeouts))
      }
    }
  }
}

extension TransportError {
  fileprivate var isUntrusted: Bool { if case .untrusted = self { true } else { false } }
}
