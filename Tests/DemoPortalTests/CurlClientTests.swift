import DemoPortal
import Foundation
import PortolanCurl
import PortolanTestSupport
import PortolanTransport
import Testing

/// The app's own transport against a real socket.
@Suite(.temporaryDirectory) struct CurlClientTests {
  private func serving(
    isSecure: Bool, trusting: Bool = true,
    _ body: (DemoState, URL, CurlTransport) async throws -> Void
  ) async throws {
    let state = DemoState()
    let server = try DemoServer(
      DemoPortal(state: state), DemoServer.Configuration(isSecure: isSecure))
    var configuration = CurlConfiguration(userAgent: "Tests")
    if let certificate = server.certificate, trusting {
      let file = temporaryDirectory.appending(path: "authority.pem")
      try Data(certificate.utf8).write(to: file)
      configuration.authorities = CertificateAuthorities(
        environment: ["SSL_CERT_FILE": file.path(percentEncoded: false)])
    }
    let transport = CurlTransport(configuration)
    do {
      let info = server.url.appending(path: "sharing/rest/info")
      let url = info.appending(queryItems: [URLQueryItem(name: "f", value: "json")])
      try await body(state, url, transport)
    } catch {
      await transport.close()
      await server.stop()
      throw error
    }
    await transport.close()
    await server.stop()
  }

  /// The server shares its threads with all other tests, and may be long in coming to an answer.
  private func request(_ url: URL) -> HTTPRequest {
    var request = HTTPRequest(url)
    request.timeouts.firstByte = .seconds(600)
    return request
  }

  @Test(arguments: [true, false])
  func `An answer arrives, over HTTPS with the certificate that was made`(
    _ isSecure: Bool
  ) async throws {
    try await serving(isSecure: isSecure) { _, url, transport in
      let answer = try await transport.send(request(url))
      #expect(answer.status == 200)
      #expect(answer.head.contentType == "application/json")
    }
  }

  @Test func `A certificate from an unknown authority is not trusted`() async throws {
    try await serving(isSecure: true, trusting: false) { _, url, transport in
      await #expect {
        _ = try await transport.send(request(url))
      } throws: { error in
        if case .untrusted = error as? TransportError { true } else { false }
      }
    }
  }

  @Test(
    arguments: [true, false],
    [
      DemoFault.Kind.drop, .cut(after: 10), .wrongLength(by: 40),
    ])
  func `An interrupted response is recognized as such`(
    _ isSecure: Bool, _ kind: DemoFault.Kind
  ) async throws {
    try await serving(isSecure: isSecure) { state, url, transport in
      await state.add(DemoFault(kind))
      await #expect {
        _ = try await transport.send(request(url))
      } throws: { error in
        if case .interrupted = error as? TransportError { true } else { false }
      }
    }
  }

  @Test func `A large form arrives whole`() async throws {
    try await serving(isSecure: true) { _, url, transport in
      var request = request(url)
      request.method = .post
      request.headers["Content-Type"] = "application/x-www-form-urlencoded"
      request.body = .bytes(Data(("x=" + String(repeating: "y", count: 5_000_000)).utf8))
      let answer = try await transport.send(request)
      #expect(answer.status == 200)
    }
  }
}
