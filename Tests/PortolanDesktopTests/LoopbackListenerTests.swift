import Foundation
import Glibc
import PortolanDesktop
import PortolanPortal
import Testing

@Suite(.timeLimit(.minutes(5))) struct LoopbackListenerTests {
  private func open() async throws -> any RedirectListener { try await LoopbackRedirect().open() }

  private func accepts(_ url: URL) -> Bool { url.query()?.contains("state=good") == true }

  /// Says `text` to the listener and hears what it answers.
  ///
  /// On a thread of its own: hearing blocks, and the listener needs the tasks' threads.
  private func say(_ text: String, to listener: any RedirectListener) async throws -> String {
    let port = UInt16(try #require(URL(string: listener.redirectURI)?.port))
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try Visitor(port: port).say(text) })
      }
    }
  }

  @Test func `The address that the browser is sent to arrives, and the browser is thanked`()
    async throws
  {
    let listener = try await open()
    #expect(listener.redirectURI.hasPrefix("http://127.0.0.1:"))
    async let answer = listener.answer(within: 30, accepting: accepts)
    let page = try await say(
      "GET /callback?code=a%2Fb&state=good HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", to: listener)
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(!page.contains("a%2Fb"))
    #expect(try await answer.query() == "code=a%2Fb&state=good")
  }

  @Test func `Others are turned away, and the right one is still waited for`() async throws {
    let listener = try await open()
    async let answer = listener.answer(within: 30, accepting: accepts)
    let strangers = [
      "GET /favicon.ico HTTP/1.1\r\n\r\n", "GET /callback?state=bad HTTP/1.1\r\n\r\n",
      "POST /callback?state=good HTTP/1.1\r\n\r\n", "nonsense\r\n\r\n",
      "GET http://127.0.0.1/callback?state=good HTTP/1.1\r\n\r\n", "\r\n\r\n",
      String(repeating: "x", count: 20_000),
    ]
    for stranger in strangers {
      #expect(try await say(stranger, to: listener).hasPrefix("HTTP/1.1 404"))
    }
    _ = try await say("GET /callback?state=good HTTP/1.1\r\n\r\n", to: listener)
    #expect(try await answer.query() == "state=good")
  }

  @Test func `A silent connection does not block others`() async throws {
    let listener = try await open()
    let port = try #require(URL(string: listener.redirectURI)?.port)
    let silent = try Visitor(port: UInt16(port))
    defer { silent.leave() }
    async let answer = listener.answer(within: 30, accepting: accepts)
    _ = try await say("GET /callback?state=good HTTP/1.1\r\n\r\n", to: listener)
    #expect(try await answer.path() == "/callback")
  }

  @Test func `Waiting lasts no longer than requested`() async throws {
    let listener = try await open()
    await #expect(throws: PortalError.signIn(.timedOut(seconds: 0))) {
      try await listener.answer(within: 0, accepting: accepts)
    }
  }

  @Test func `Waiting ends when the task is cancelled`() async throws {
    let listener = try await open()
    let task = Task { try await listener.answer(within: 600) { _ in true } }
    task.cancel()
    await #expect(throws: PortalError.cancelled) { try await task.value }
  }

  @Test func `The port is free again afterwards`() async throws {
    var port: UInt16 = 0
    do {
      let listener = try await open()
      port = UInt16(try #require(URL(string: listener.redirectURI)?.port))
    }
    #expect(throws: CancellationError.self) { try Visitor(port: port) }
  }
}

/// A browser, more or less.
private struct Visitor {
  private let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      close(descriptor)
      throw CancellationError()
    }
  }

  func say(_ text: String) -> String {
    defer { leave() }
    let bytes = Array(text.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { break }
      answer += piece[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  func leave() { close(descriptor) }
}
