import Foundation
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanTransport

@Suite(.timeLimit(.minutes(5))) struct ThrottledTransportTests {
  private let clock = ManualClock()

  private func throttled(
    _ base: any HTTPTransport, _ policy: ThrottlePolicy
  ) -> ThrottledTransport<ManualClock> {
    ThrottledTransport(base, policy: policy, clock: clock, now: { Date(timeIntervalSince1970: 0) })
  }

  @Test func `No more requests are under way than the host may have`() async throws {
    let held = HeldTransport()
    let transport = throttled(
      held, ThrottlePolicy(initialConcurrency: 2, maximumConcurrency: 2))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<5 {
        group.addTask { _ = try await transport.send(HTTPRequest("https://a.org/\(number)")) }
      }
      await held.arrived(2)
      for _ in 0..<5 {
        await held.release()
        #expect(held.most <= 2)
      }
      try await group.waitForAll()
    }
    #expect(held.most == 2)
  }

  @Test func `Each host has limits of its own`() async throws {
    let held = HeldTransport()
    let transport = throttled(
      held, ThrottlePolicy(initialConcurrency: 1, maximumConcurrency: 1))
    async let first = transport.send(HTTPRequest("https://a.org/"))
    async let second = transport.send(HTTPRequest("https://b.org/"))
    await held.arrived(2)
    await held.release()
    await held.release()
    #expect(try await [first.status, second.status] == [200, 200])
  }

  @Test func `Cancelling takes a request out of the queue`() async throws {
    let held = HeldTransport()
    let transport = throttled(
      held, ThrottlePolicy(initialConcurrency: 1, maximumConcurrency: 1))
    async let first = transport.send(HTTPRequest("https://a.org/1"))
    await held.arrived(1)
    let queued = Task { try await transport.send(HTTPRequest("https://a.org/2")) }
    queued.cancel()
    await #expect(throws: TransportError.cancelled) { try await queued.value }
    await held.release()
    #expect(try await first.status == 200)
    async let third = transport.send(HTTPRequest("https://a.org/3"))
    await held.release()
    #expect(try await third.status == 200)
    #expect(held.total == 2)
  }

  @Test func `After Retry-After no request begins before its time`() async throws {
    let stub = ScriptedTransport(.response(429, ["Retry-After": "10"]), .response(200))
    let transport = throttled(stub, ThrottlePolicy())
    #expect(try await transport.send(HTTPRequest("https://a.org/")).status == 429)
    async let next = transport.send(HTTPRequest("https://a.org/"))
    async let other = transport.send(HTTPRequest("https://b.org/"))
    #expect(try await other.status == 200)
    await clock.sleepers(1)
    #expect(clock.pending == [.seconds(10)])
    await clock.wake(after: .seconds(10))
    #expect(try await next.status == 200)
  }

  @Test func `A host's pause takes no request beyond its total limit`() async throws {
    let stub = ScriptedTransport(.response(429, ["Retry-After": "10"]), .response(200))
    let transport = throttled(stub, ThrottlePolicy())
    #expect(try await transport.send(HTTPRequest("https://a.org/")).status == 429)
    var short = HTTPRequest("https://a.org/short")
    short.timeouts.total = .seconds(4)
    var long = HTTPRequest("https://a.org/long")
    long.timeouts.total = .seconds(30)
    let (early, late) = (short, long)
    let first = Task { try await transport.send(early).status }
    let second = Task { try await transport.send(late).status }
    await clock.sleepers(2)
    #expect(clock.pending == [.seconds(4), .seconds(10)])
    await clock.wake(after: .seconds(4))
    await #expect(throws: TransportError.timedOut("https://a.org/short", phase: .total)) {
      try await first.value
    }
    await clock.wake(after: .seconds(6))
    #expect(try await second.value == 200)
    // The pause counts against the limit of the one that could wait for its end.
    #expect(stub.requests.map(\.timeouts.total) == [nil, .seconds(20)])
  }

  @Test func `A host's pause has a longest`() async throws {
    let stub = ScriptedTransport(.response(503, ["Retry-After": "86400"]), .response(200))
    let transport = throttled(stub, ThrottlePolicy(longestPause: .seconds(5)))
    #expect(try await transport.send(HTTPRequest("https://a.org/")).status == 503)
    async let next = transport.send(HTTPRequest("https://a.org/"))
    await clock.wake(after: .seconds(5))
    #expect(try await next.status == 200)
  }

  @Test func `Requests begin evenly spaced where there is a rate`() async throws {
    let transport = throttled(
      ScriptedTransport(.response(200)), ThrottlePolicy(requestsPerSecond: 4))
    #expect(try await transport.send(HTTPRequest("https://a.org/0")).status == 200)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        group.addTask { _ = try await transport.send(HTTPRequest("https://a.org/\(number)")) }
      }
      await clock.sleepers(3)
      #expect(clock.pending == [.seconds(0.25), .seconds(0.5), .seconds(0.75)])
      await clock.wake(after: .seconds(1))
      try await group.waitForAll()
    }
  }

  @Test func `Cancelling ends the wait for the rate and frees the place`() async throws {
    let transport = throttled(
      ScriptedTransport(.response(200)),
      ThrottlePolicy(initialConcurrency: 1, maximumConcurrency: 1, requestsPerSecond: 1))
    _ = try await transport.send(HTTPRequest("https://a.org/"))
    let task = Task { try await transport.send(HTTPRequest("https://a.org/")) }
    await clock.sleepers(1)
    task.cancel()
    await #expect(throws: TransportError.cancelled) { try await task.value }
    async let next = transport.send(HTTPRequest("https://a.org/"))
    await clock.wake(after: .seconds(2))
    #expect(try await next.status == 200)
  }
}

@Suite struct ConcurrencyWindowTests {
  /// Sends as many requests as the window lets in, and ends them all.
  private func round(
    _ window: inout ConcurrencyWindow, _ outcome: ConcurrencyWindow.Outcome = .answered
  ) {
    var tickets: [ConcurrencyWindow.Ticket] = []
    while let ticket = window.enter() { tickets.append(ticket) }
    for ticket in tickets {
      window.leave(ticket, outcome)
      // Kept full, as by a queue of requests.
      if let next = window.enter() { window.leave(next, .cancelled) }
    }
  }

  @Test func `It doubles while all of it is used, up to its maximum`() {
    var window = ConcurrencyWindow(initial: 2, maximum: 30)
    var ticket: [ConcurrencyWindow.Ticket] = []
    for _ in 0..<100 {
      while let next = window.enter() { ticket.append(next) }
      window.leave(ticket.removeFirst(), .answered)
    }
    #expect(window.limit == 30)
  }

  @Test func `It does not grow while no more is needed`() {
    var window = ConcurrencyWindow(initial: 4, maximum: 64)
    for _ in 0..<100 {
      if let ticket = window.enter() { window.leave(ticket, .answered) }
    }
    #expect(window.limit == 4)
  }

  @Test func `It is halved once for each round that is pushed back, and never closed`() {
    var window = ConcurrencyWindow(initial: 16, maximum: 64)
    round(&window, .pushedBack)
    #expect(window.limit == 8)
    for _ in 0..<10 { round(&window, .pushedBack) }
    #expect(window.limit == 1)
  }

  @Test func `After a push back it grows by one a round`() {
    var window = ConcurrencyWindow(initial: 16, maximum: 64)
    round(&window, .pushedBack)
    #expect(window.limit == 8)
    var tickets: [ConcurrencyWindow.Ticket] = []
    for _ in 0..<8 {
      while let next = window.enter() { tickets.append(next) }
      window.leave(tickets.removeFirst(), .answered)
    }
    #expect(8...9 ~= window.limit)
    for _ in 0..<2 {
      while let next = window.enter() { tickets.append(next) }
      window.leave(tickets.removeFirst(), .answered)
    }
    #expect(window.limit == 9)
  }

  @Test func `A cancelled request leaves the concurrency window as it is`() {
    var window = ConcurrencyWindow(initial: 4, maximum: 64)
    round(&window, .cancelled)
    #expect(window.limit == 4)
    #expect(window.isIdle)
  }
}
