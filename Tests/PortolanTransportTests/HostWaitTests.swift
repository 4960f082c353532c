import Foundation
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Testing

/// The reports on requests that wait for a host.
@Suite(.timeLimit(.minutes(5))) struct HostWaitTests {
  private let clock = ManualClock()
  private let told = Locked<[HostWait?]>([])

  private func throttled(
    _ base: any HTTPTransport, _ policy: ThrottlePolicy = ThrottlePolicy()
  ) -> ThrottledTransport<ManualClock> {
    ThrottledTransport(base, policy: policy, clock: clock, now: { [clock] in clock.date })
  }

  private func retrying(_ base: any HTTPTransport) -> RetryingTransport<ManualClock> {
    RetryingTransport(base, clock: clock, now: { [clock] in clock.date }, chance: { 1 })
  }

  @Test func `Requests held back by their host's pause are reported once, until they continue`()
    async throws
  {
    let transport = throttled(
      ScriptedTransport(.response(429, ["Retry-After": "12"]), .response(200)))
    let (changes, change) = AsyncStream<Void>.makeStream()
    let observer = HostWaitObserver { change.yield() }
    let work = Task {
      try await observer.observe {
        _ = try await transport.send(HTTPRequest("https://tiles.example.com/0"))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 1...3 {
            group.addTask {
              _ = try await transport.send(HTTPRequest("https://tiles.example.com/\(number)"))
            }
          }
          try await group.waitForAll()
        }
      }
    }
    await clock.sleepers(3)
    let expected = HostWait(
      host: "tiles.example.com", since: clock.date, until: clock.date.addingTimeInterval(12))
    #expect(observer.wait == expected)
    await clock.wake(after: .seconds(12))
    try await work.value
    #expect(observer.wait == nil)
    change.finish()
    #expect(await changes.reduce(into: 0) { count, _ in count += 1 } == 2)
  }

  @Test func `A request that waits behind others held back by its host is also reported`()
    async throws
  {
    let transport = throttled(
      ScriptedTransport(.response(429, ["Retry-After": "12"]), .response(200)),
      ThrottlePolicy(initialConcurrency: 1, maximumConcurrency: 1))
    _ = try await transport.send(HTTPRequest("https://tiles.example.com/0"))
    async let other = transport.send(HTTPRequest("https://tiles.example.com/1")).status
    await clock.sleepers(1)
    let (changes, change) = AsyncStream<Void>.makeStream()
    let observer = HostWaitObserver { change.yield() }
    let work = Task {
      try await observer.observe {
        try await transport.send(HTTPRequest("https://tiles.example.com/2")).status
      }
    }
    for await _ in changes { break }
    #expect(observer.wait?.host == "tiles.example.com")
    await clock.wake(after: .seconds(12))
    #expect(try await other == 200)
    #expect(try await work.value == 200)
    #expect(observer.wait == nil)
  }

  @Test func `A repeated request is reported with its host and port`() async throws {
    let transport = retrying(
      ScriptedTransport(.response(503, ["Retry-After": "30"]), .response(200)))
    let observer = HostWaitObserver {}
    let work = Task {
      try await observer.observe {
        try await transport.send(HTTPRequest("http://127.0.0.1:8080/x")).status
      }
    }
    await clock.sleepers(1)
    #expect(observer.wait?.host == "127.0.0.1:8080")
    #expect(observer.wait?.until == clock.date.addingTimeInterval(30))
    await clock.wake(after: .seconds(30))
    #expect(try await work.value == 200)
    #expect(observer.wait == nil)
  }

  @Test func `A request that is cancelled waits no longer`() async throws {
    let transport = retrying(ScriptedTransport(.response(429, ["Retry-After": "30"])))
    let observer = HostWaitObserver {}
    let work = Task {
      try await observer.observe { try await transport.send(HTTPRequest("https://a.org/")).status }
    }
    await clock.sleepers(1)
    #expect(observer.wait != nil)
    work.cancel()
    await #expect(throws: TransportError.cancelled) { try await work.value }
    #expect(observer.wait == nil)
  }

  @Test func `Of several hosts the one with the longest wait is reported`() async throws {
    let transport = retrying(
      ScriptedTransport { request, number in
        let isLong = request.url.host() == "long.org"
        return number < 2 ? .response(429, ["Retry-After": isLong ? "60" : "20"]) : .response(200)
      })
    let observer = HostWaitObserver {}
    let work = Task {
      try await observer.observe {
        async let long = transport.send(HTTPRequest("https://long.org/"))
        async let short = transport.send(HTTPRequest("https://short.org/"))
        return try await [long.status, short.status]
      }
    }
    await clock.sleepers(2)
    #expect(observer.wait?.host == "long.org")
    await clock.wake(after: .seconds(20))
    #expect(observer.wait?.host == "long.org")
    await clock.wake(after: .seconds(40))
    #expect(try await work.value == [200, 200])
  }

  @Test func `Pauses shorter than a second, and other jobs' requests, are not reported`()
    async throws
  {
    let observer = HostWaitObserver { Issue.record("Nothing is to be told.") }
    let transport = retrying(ScriptedTransport(.response(503), .response(200)))
    let work = Task {
      try await observer.observe { try await transport.send(HTTPRequest("https://a.org/")).status }
    }
    await clock.wake(after: .seconds(0.5))
    #expect(try await work.value == 200)
    let other = retrying(ScriptedTransport(.response(503, ["Retry-After": "9"]), .response(200)))
    async let status = other.send(HTTPRequest("https://a.org/")).status
    await clock.wake(after: .seconds(9))
    #expect(try await status == 200)
  }

  @Test func `Short pauses are reported once a host has been asked again for a while`()
    async throws
  {
    let transport = retrying(
      ScriptedTransport(
        .response(503), .response(503), .response(503), .response(200), .response(503),
        .response(200)))
    let observer = HostWaitObserver {}
    let begun = clock.date
    let work = Task {
      try await observer.observe {
        for number in 0...1 { _ = try await transport.send(HTTPRequest("https://a.org/\(number)")) }
      }
    }
    for pause in [0.5, 1, 2] { await clock.wake(after: .seconds(pause)) }
    await clock.sleepers(1)
    let wait = try #require(observer.wait)
    #expect(wait.begun == begun && wait.since > begun)
    #expect(abs(wait.until.timeIntervalSince(wait.since) - 0.5) < 0.001)
    await clock.wake(after: .seconds(0.5))
    try await work.value
    #expect(observer.wait == nil)
  }

  @Test func `A host that has answered for some seconds is asked again for another reason`()
    async throws
  {
    let transport = retrying(
      ScriptedTransport(
        .response(503), .response(503), .response(503), .response(200), .response(503),
        .response(200)))
    let observer = HostWaitObserver {}
    let work = Task { [clock] in
      try await observer.observe {
        _ = try await transport.send(HTTPRequest("https://a.org/0"))
        try await clock.sleep(until: clock.now.advanced(by: .seconds(5)), tolerance: nil)
        _ = try await transport.send(HTTPRequest("https://a.org/1"))
      }
    }
    for pause in [0.5, 1, 2, 5] { await clock.wake(after: .seconds(pause)) }
    await clock.sleepers(1)
    #expect(observer.wait == nil)
    await clock.wake(after: .seconds(0.5))
    try await work.value
  }
}
