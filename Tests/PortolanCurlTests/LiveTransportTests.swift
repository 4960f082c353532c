import Foundation
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanCurl

@Suite(.timeLimit(.minutes(5))) struct LiveTransportTests {
  private func live(
    _ monitor: any NetworkMonitor = FixedNetworkMonitor(.online(isMetered: nil)),
    _ throttle: ThrottlePolicy = ThrottlePolicy()
  ) -> LiveTransport {
    LiveTransport(
      LiveTransport.Configuration(
        curl: CurlConfiguration(userAgent: "Portolan/test"),
        retries: RetryPolicy(firstPause: .milliseconds(1)), throttle: throttle),
      monitor: monitor, now: { Date() }, chance: { 0 })
  }

  @Test func `Failures that pass are repeated and redirects followed`() async throws {
    let failures = Mutex(2)
    let server = try ScriptedServer { request in
      guard request.path == "/there" else {
        return [.text("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")]
      }
      let isFailing = failures.withLock { failures in
        failures -= 1
        return failures >= 0
      }
      return isFailing
        ? [.text("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy")]
        : [.text("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere")]
    }
    try await server.run { server in
      let response = try await live().send(HTTPRequest(server.url()))
      #expect(response.body == Data("here".utf8))
      #expect(response.head.url == server.url("/there"))
      #expect(server.requests.map(\.path) == ["/", "/there", "/", "/there", "/", "/there"])
    }
  }

  @Test func `A body that broke off is asked for again`() async throws {
    let answers = Mutex(0)
    let server = try ScriptedServer { _ in
      let number = answers.withLock { number in
        number += 1
        return number
      }
      return number == 1
        ? [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .reset]
        : [.text("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole")]
    }
    try await server.run { server in
      let response = try await live().send(HTTPRequest(server.url()))
      #expect(response.body == Data("whole".utf8))
    }
  }

  @Test func `A token goes to no other host, not even after a redirect`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { stranger in
      let leak = "\(stranger.url("/take"))?token=abc"
      let server = try ScriptedServer { _ in
        [.text("HTTP/1.1 307 Go\r\nLocation: \(leak)\r\nContent-Length: 0\r\n\r\n")]
      }
      try await server.run { server in
        let request = HTTPRequest(
          server.url("/x?token=abc"), headers: ["X-Esri-Authorization": "Bearer abc"])
        _ = try await live().send(request)
      }
      let taken = try #require(stranger.requests.first)
      #expect(taken.path == "/take")
      #expect(!"\(taken.headers)".contains("abc"))
    }
  }

  @Test func `The user is unknown offline if offline mode was requested`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      let monitor = SwitchableNetworkMonitor(.offline(.asked))
      let transport = live(monitor)
      await #expect(throws: TransportError.offline) {
        try await transport.send(HTTPRequest(server.url()))
      }
      #expect(server.requests.isEmpty)
      monitor.set(.online(isMetered: nil))
      let response = try await transport.send(HTTPRequest(server.url()))
      #expect(response.status == 200)
    }
  }

  @Test func `A host gets no more connections than it may have`() async throws {
    try await ScriptedServer { _ in [.empty] }.run { server in
      let transport = live(
        FixedNetworkMonitor(.online(isMetered: nil)),
        ThrottlePolicy(initialConcurrency: 3, maximumConcurrency: 3))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<60 {
          group.addTask { _ = try await transport.send(HTTPRequest(server.url())) }
        }
        try await group.waitForAll()
      }
      #expect(server.requests.count == 60)
      #expect(server.connectionCount <= 3)
      await transport.close()
    }
  }
}
