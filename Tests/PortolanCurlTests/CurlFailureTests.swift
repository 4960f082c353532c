import Foundation
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanCurl

@Suite(.timeLimit(.minutes(5))) struct CurlFailureTests {
  private let transport = CurlTransport(CurlConfiguration(userAgent: "Portolan/test"))

  /// Steps that are no proper answer, and the kind of error that they lead to.
  struct Misbehaviour: CustomTestStringConvertible, Sendable {
    let name: String
    let steps: [ScriptedServer.Step]
    let isExpected: @Sendable (TransportError) -> Bool

    var testDescription: String { name }
  }

  static let misbehaviours: [Misbehaviour] = [
    Misbehaviour(
      name: "a body that is cut short",
      steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close],
      isExpected: \.isInterrupted),
    Misbehaviour(
      name: "chunks that break off",
      steps: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"), .close],
      isExpected: \.isInterrupted),
    Misbehaviour(
      name: "chunks without a length",
      steps: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"), .close],
      isExpected: \.isInterrupted),
    Misbehaviour(
      name: "a reset in the body",
      steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .reset],
      isExpected: \.isInterrupted),
    Misbehaviour(name: "a reset before the answer", steps: [.reset], isExpected: \.isInterrupted),
    Misbehaviour(name: "no answer at all", steps: [.close], isExpected: \.isInterrupted),
    Misbehaviour(
      name: "headers that break off", steps: [.text("HTTP/1.1 200 OK\r\nX: "), .close],
      isExpected: { $0.isInterrupted || $0.isMalformed }),
    Misbehaviour(
      name: "something that is not HTTP", steps: [.text("SSH-2.0-OpenSSH_9.2\r\n"), .close],
      isExpected: \.isMalformed),
    Misbehaviour(
      name: "a server that wants to be spoken to in TLS",
      // An alert: the record could not be read.
      steps: [.text("\u{15}\u{3}\u{3}\0\u{2}\u{2}\u{16}"), .close],
      isExpected: { $0.isMalformed && $0.recoverySuggestion?.contains("https://") == true }),
    Misbehaviour(
      name: "a status that is no number", steps: [.text("HTTP/1.1 OK\r\n\r\n"), .close],
      isExpected: { $0.isMalformed || $0.isInterrupted }),
    Misbehaviour(
      name: "headers without measure",
      steps: [.text("HTTP/1.1 200 OK\r\n")]
        + Array(repeating: .text("X-Long: \(String(repeating: "y", count: 8000))\r\n"), count: 50),
      isExpected: \.isMalformed),
    Misbehaviour(
      name: "one header line without measure",
      steps: [.text("HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 2_000_000))")],
      isExpected: { $0.isMalformed || $0.isInterrupted }),
    Misbehaviour(
      name: "a packed body that is none",
      steps: [
        .text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc")
      ], isExpected: \.isMalformed),
  ]

  @Test func `That nobody listens is said once`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let error = await #expect(throws: TransportError.self) {
      _ = try await transport.send(HTTPRequest(url))
    }
    guard case .unreachable("127.0.0.1", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let connects = reason.lowercased().split { !$0.isLetter }.filter { $0 == "connect" }
    #expect(connects.count == 1, "\(reason)")
  }

  @Test(arguments: [ScriptedServer.Step.close, .reset])
  func `An edit whose answer is lost goes out once, though the connection was used before`(
    _ end: ScriptedServer.Step
  ) async throws {
    let server = try ScriptedServer { request in
      request.line.hasPrefix("POST")
        ? [end] : [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]
    }
    try await server.run { server in
      for _ in 0..<2 { _ = try await transport.send(HTTPRequest(server.url())) }
      #expect(server.connectionCount == 1, "connections are used again")
      let edit = HTTPRequest(server.url("/applyEdits"), method: .post, body: .bytes(Data("a".utf8)))
      await #expect(throws: TransportError.self) { try await transport.send(edit) }
      #expect(server.requests.filter { $0.line.hasPrefix("POST") }.count == 1)
    }
  }

  @Test(arguments: misbehaviours)
  func `A server that misbehaves is named as what it is`(_ case: Misbehaviour) async throws {
    try await ScriptedServer { _ in `case`.steps }.run { server in
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(server.url("/secret?token=abc")))
      }
      let expected = try #require(error)
      #expect(`case`.isExpected(expected), "\(expected)")
      #expect(!"\(expected)".contains("abc"))
      #expect(!expected.localizedDescription.contains("token"))
    }
  }

  @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "http:///x", "mailto:a@b.c", "x"])
  func `Only addresses on the web are asked`(_ text: String) async throws {
    let url = try #require(URL(string: text))
    await #expect(throws: TransportError.badAddress(url.withoutSecrets)) {
      try await transport.send(HTTPRequest(url))
    }
  }

  @Test func `A port without a listener is unreachable`() async throws {
    try await SilentPort.run(isListening: false) { port in
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(url))
      }
      guard case .unreachable(host: "127.0.0.1", _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `A user name that does not exist is unknown`() async throws {
    let url = try #require(URL(string: "http://nobody.invalid/"))
    await #expect(throws: TransportError.unknownHost("nobody.invalid")) {
      try await transport.send(HTTPRequest(url))
    }
  }

  @Test func `A server that never answers times out`() async throws {
    try await ScriptedServer { _ in [.hang] }.run { server in
      let timeouts = HTTPTimeouts(
        connect: .seconds(30), firstByte: .milliseconds(20), stall: .seconds(30))
      let request = HTTPRequest(server.url(), timeouts: timeouts)
      await #expect(throws: TransportError.timedOut(request.address, phase: .firstByte)) {
        try await transport.send(request)
      }
      await server.connectionEnded()
    }
  }

  @Test func `A server that stops in the middle times out`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    try await server.run { server in
      let timeouts = HTTPTimeouts(
        connect: .seconds(30), firstByte: .seconds(30), stall: .milliseconds(20))
      let request = HTTPRequest(server.url(), timeouts: timeouts)
      await #expect(throws: TransportError.timedOut(request.address, phase: .stall)) {
        try await transport.send(request)
      }
    }
  }

  @Test func `A server that sends a byte now and then times out`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    try await server.run { server in
      let timeouts = HTTPTimeouts(
        connect: .seconds(30), firstByte: .seconds(30), stall: .milliseconds(20), slowest: 1_000)
      let request = HTTPRequest(server.url(), timeouts: timeouts)
      await #expect(throws: TransportError.timedOut(request.address, phase: .pace)) {
        try await transport.send(request)
      }
    }
  }

  @Test func `A request takes no longer than its limit in total`() async throws {
    let server = try ScriptedServer { _ in [.hang] }
    try await server.run { server in
      let timeouts = HTTPTimeouts(
        connect: .seconds(30), firstByte: .seconds(30), stall: .seconds(30),
        total: .milliseconds(20))
      let request = HTTPRequest(server.url(), timeouts: timeouts)
      await #expect(throws: TransportError.timedOut(request.address, phase: .total)) {
        try await transport.send(request)
      }
    }
  }

  @Test func `A connection that is never accepted times out`() async throws {
    try await SilentPort.run { port in
      let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
      let timeouts = HTTPTimeouts(
        connect: .milliseconds(20), firstByte: .seconds(30), stall: .seconds(30))
      let request = HTTPRequest(url, timeouts: timeouts)
      await #expect(throws: TransportError.timedOut(request.address, phase: .connect)) {
        try await transport.send(request)
      }
    }
  }

  @Test func `A body that is longer than allowed is not read to its end`() async throws {
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 200 OK\r\n\r\n")]
        + Array(repeating: .send(Data(repeating: 1, count: 1 << 16)), count: 1000)
    }
    try await server.run { server in
      let request = HTTPRequest(server.url())
      await #expect(throws: TransportError.tooLarge(request.address, limit: 100_000)) {
        try await transport.send(request, limit: 100_000)
      }
      await server.connectionEnded()
    }
  }

  @Test func `Cancelling a task ends its transfer and no other`() async throws {
    let gate = ScriptedServer.Gate()
    let server = try ScriptedServer { request in
      request.path == "/cancelled" ? [.hang] : [.wait(gate), .empty]
    }
    try await server.run { server in
      async let other = transport.send(HTTPRequest(server.url("/other")))
      let task = Task { try await transport.send(HTTPRequest(server.url("/cancelled"))) }
      await server.requestArrived(count: 2)
      task.cancel()
      await #expect(throws: TransportError.cancelled) { try await task.value }
      // The server sees its end: no bytes flow any more.
      await server.connectionEnded()
      gate.open()
      let response = try await other
      #expect(response.status == 200)
    }
  }

  @Test func `A task that was cancelled before asks nothing`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.send(HTTPRequest(server.url()))
      }
      await #expect(throws: TransportError.cancelled) { try await task.value }
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `An error thrown by a sink ends the transfer with it`() async throws {
    final class Full: HTTPBodySink {
      func begin(_ head: HTTPResponseHead) {}
      func receive(_ bytes: RawSpan) throws(TransportError) {
        throw .diskFull(file: "x", needed: 3)
      }
    }
    let server = try ScriptedServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    try await server.run { server in
      await #expect(throws: TransportError.diskFull(file: "x", needed: 3)) {
        try await transport.send(HTTPRequest(server.url()), into: Full())
      }
      await server.connectionEnded()
    }
  }
}

extension TransportError {
  var isInterrupted: Bool { if case .interrupted = self { true } else { false } }
  var isMalformed: Bool { if case .malformed = self { true } else { false } }
}
