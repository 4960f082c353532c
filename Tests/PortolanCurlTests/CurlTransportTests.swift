import Foundation
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanCurl

@Suite(.timeLimit(.minutes(5))) struct CurlTransportTests {
  private let transport = CurlTransport(CurlConfiguration(userAgent: "Portolan/test"))

  @Test func `An answer arrives whole`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nX-A: 1\r\nx-a:  2 \r\n\r\nhello")]
    }
    try await server.run { server in
      let response = try await transport.send(HTTPRequest(server.url("/path?q=1#part")))
      #expect(response.status == 200)
      #expect(response.headers.values(of: "X-A") == ["1", "2"])
      #expect(response.body == Data("hello".utf8))
      #expect(server.requests.first?.line == "GET /path?q=1 HTTP/1.1")
    }
  }

  @Test func `A request carries our name and takes all packings`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      let request = HTTPRequest(
        server.url(), headers: ["X-One": "1", "X-Empty": "", "X-Split": "a\r\nX-Evil: b"])
      _ = try await transport.send(request)
      let sent = try #require(server.requests.first)
      #expect(sent["User-Agent"] == "Portolan/test")
      #expect(sent["Accept-Encoding"]?.contains("gzip") == true)
      #expect(sent["X-One"] == "1")
      #expect(sent["X-Empty"] == "")
      #expect(sent["X-Split"] == "a  X-Evil: b")
      #expect(sent["X-Evil"] == nil)
    }
  }

  @Test func `A request with a name of its own carries that`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      _ = try await transport.send(
        HTTPRequest(server.url(), headers: ["User-Agent": "Atlas/2 (help@example.org)"]))
      #expect(server.requests.first?["User-Agent"] == "Atlas/2 (help@example.org)")
    }
  }

  @Test func `A connection is used again`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      for _ in 0..<5 { _ = try await transport.send(HTTPRequest(server.url())) }
      #expect(server.requests.count == 5)
      #expect(server.connectionCount == 1)
    }
  }

  @Test func `Many requests at a time all get their answer`() async throws {
    let server = try ScriptedServer { request in
      [
        .text(
          "HTTP/1.1 200 OK\r\nContent-Length: \(request.path.utf8.count)\r\n\r\n\(request.path)")
      ]
    }
    try await server.run { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let response = try await transport.send(HTTPRequest(server.url("/\(number)")))
            #expect(response.body == Data("/\(number)".utf8))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `A body in chunks arrives whole, without its trailer among the headers`() async throws
  {
    let server = try ScriptedServer { _ in
      [
        .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
        .text("2\r\nde\r\n0\r\nX-Late: 1\r\n\r\n"),
      ]
    }
    try await server.run { server in
      let response = try await transport.send(HTTPRequest(server.url()))
      #expect(response.body == Data("abcde".utf8))
      #expect(response.headers["X-Late"] == nil)
    }
  }

  @Test func `A packed body is unpacked`() async throws {
    // `printf 'hello hello hello' | gzip -n`
    let packed = Data([
      0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40,
      0x90, 0x00, 0x80, 0x88, 0xf9, 0xe5, 0x11, 0, 0, 0,
    ])
    let server = try ScriptedServer { _ in
      [
        .text(
          "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"),
        .send(packed),
      ]
    }
    try await server.run { server in
      let response = try await transport.send(HTTPRequest(server.url()))
      #expect(String(decoding: response.body, as: UTF8.self) == "hello hello hello")
      // Packed although it was not asked for: unpacked all the same.
      let plain = HTTPRequest(server.url(), headers: ["Accept-Encoding": "identity"])
      #expect(try await transport.send(plain).body == response.body)
      #expect(server.requests.last?["Accept-Encoding"] == "identity")
    }
  }

  @Test func `A status is an answer, not an error`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno")]
    }
    try await server.run { server in
      let response = try await transport.send(HTTPRequest(server.url()))
      #expect(response.status == 503)
      #expect(response.body == Data("no".utf8))
    }
  }

  @Test func `Redirects are left to others`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")]
    }
    try await server.run { server in
      let response = try await transport.send(HTTPRequest(server.url()))
      #expect(response.status == 302)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `An interim answer is passed over`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), .empty]
    }
    try await server.run { server in
      let response = try await transport.send(HTTPRequest(server.url()))
      #expect(response.status == 200)
      #expect(response.headers["Link"] == nil)
    }
  }

  @Test(arguments: HTTPRequest.Method.allCases)
  func `Every method goes out with its body`(_ method: HTTPRequest.Method) async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      var request = HTTPRequest(server.url(), method: method)
      if method != .head { request.body = .bytes(Data("a=b".utf8)) }
      _ = try await transport.send(request)
      let sent = try #require(server.requests.first)
      #expect(sent.line == "\(method.rawValue) / HTTP/1.1")
      #expect(sent.body == Data(method == .head ? "".utf8 : "a=b".utf8))
      #expect(sent["Content-Type"] == nil)
    }
  }

  @Test func `A POST without a body says so`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      _ = try await transport.send(HTTPRequest(server.url(), method: .post))
      #expect(server.requests.first?["Content-Length"] == "0")
    }
  }

  @Test func `A large body does not wait to be asked for`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      let body = Data(repeating: 7, count: 3 << 20)
      _ = try await transport.send(
        HTTPRequest(server.url(), method: .post, body: .bytes(body)))
      let sent = try #require(server.requests.first)
      #expect(sent.body == body)
      #expect(sent["Expect"] == nil)
    }
  }

  @Test(.temporaryDirectory) func `A file is sent as it is read`() async throws {
    let file = temporaryDirectory.appending(path: "body")
    let body = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0) })
    try body.write(to: file)
    try await ScriptedServer { _ in [.empty] }.run { server in
      _ = try await transport.send(HTTPRequest(server.url(), method: .put, body: .file(file)))
      #expect(server.requests.first?.body == body)
    }
  }

  @Test(.temporaryDirectory) func `A file that is not there is named`() async throws {
    let file = temporaryDirectory.appending(path: "absent")
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    await #expect(
      throws: TransportError.unreadable(
        file: file.path(percentEncoded: false), reason: "No such file or directory")
    ) {
      try await transport.send(HTTPRequest(url, method: .put, body: .file(file)))
    }
  }

  @Test func `Closing ends what is under way, and whatever comes later`() async throws {
    try await ScriptedServer { _ in [.hang] }.run { server in
      let transport = CurlTransport(CurlConfiguration(userAgent: "Portolan/test"))
      let pending = Task { try await transport.send(HTTPRequest(server.url())) }
      await server.requestArrived()
      await transport.close()
      await #expect(throws: TransportError.cancelled) { try await pending.value }
      await server.connectionEnded()
      await #expect(throws: TransportError.cancelled) {
        try await transport.send(HTTPRequest(server.url()))
      }
    }
  }

  @Test func `Closing before the first request is no trouble`() async {
    await transport.close()
    await transport.close()
  }
}

extension ScriptedServer.Step {
  /// An answer without a body.
  static var empty: Self { .text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
}
