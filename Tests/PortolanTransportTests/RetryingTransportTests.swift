import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryingTransportTests {
  private let clock = ManualClock()
  private let get = HTTPRequest("https://a.org/x")

  private func retrying(
    _ stub: ScriptedTransport, _ policy: RetryPolicy = RetryPolicy(), chance: Double = 1
  ) -> RetryingTransport<ManualClock> {
    let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
    return RetryingTransport(
      stub, policy: policy, clock: clock, now: { now }, chance: { chance })
  }

  @Test func `A busy server is asked again after pauses that double`() async throws {
    let stub = ScriptedTransport(
      .response(503), .response(429, body: "slow"), .response(504), .response(200, body: "here"))
    async let response = retrying(stub).send(get)
    for pause in [0.5, 1, 2] {
      await clock.sleepers(1)
      #expect(clock.pending == [.seconds(pause)])
      await clock.wake(after: .seconds(pause))
    }
    #expect(try await response.body == Data("here".utf8))
    #expect(stub.requests.count == 4)
  }

  @Test func `Chance makes pauses shorter by up to a half`() async throws {
    let stub = ScriptedTransport(.response(503), .response(200))
    async let response = retrying(stub, chance: 0).send(get)
    await clock.sleepers(1)
    #expect(clock.pending == [.seconds(0.25)])
    await clock.wake(after: .seconds(0.25))
    #expect(try await response.status == 200)
  }

  @Test func `The last answer is handed on as it is`() async throws {
    let stub = ScriptedTransport(.response(503, body: "busy"))
    async let response = retrying(stub, RetryPolicy(attempts: 2)).send(get)
    await clock.wake(after: .seconds(1))
    #expect(try await response.body == Data("busy".utf8))
    #expect(stub.requests.count == 2)
  }

  @Test(arguments: [200, 400, 401, 403, 404, 413, 498, 500, 501])
  func `Other answers are not asked for again`(_ status: Int) async throws {
    let stub = ScriptedTransport(.response(status))
    #expect(try await retrying(stub).send(get).status == status)
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: [
    ("7", 7.0), ("0", 0.5), ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
    ("Sunday, 06-Nov-94 08:50:07 GMT", 30), ("Sun Nov  6 08:49:57 1994", 20),
    ("Sun, 06 Nov 1994 08:00:00 GMT", 0.5), ("soon", 0.5), ("-3", 0.5), ("nan", 0.5), ("", 0.5),
    ("Sun, 99 Xxx 1994 08:49:47 GMT", 0.5),
  ])
  func `A pause requested with Retry-After is waited for`(
    _ value: String, _ expected: Double
  ) async throws {
    let stub = ScriptedTransport(.response(503, ["Retry-After": value]), .response(200))
    async let response = retrying(stub).send(get)
    await clock.sleepers(1)
    #expect(clock.pending == [.seconds(expected)])
    await clock.wake(after: .seconds(expected))
    #expect(try await response.status == 200)
  }

  @Test func `A date is measured by the server's own clock if the server sends it`() async throws {
    let headers: HTTPHeaders = [
      "Retry-After": "Wed, 01 Jan 2025 00:00:05 GMT", "Date": "Wed, 01 Jan 2025 00:00:00 GMT",
    ]
    let stub = ScriptedTransport(.response(503, headers), .response(200))
    async let response = retrying(stub).send(get)
    await clock.sleepers(1)
    #expect(clock.pending == [.seconds(5)])
    await clock.wake(after: .seconds(5))
    #expect(try await response.status == 200)
  }

  @Test(arguments: ["3600", "1e300", "inf", "Fri, 31 Dec 9999 23:59:59 GMT"])
  func `No wait lasts an hour`(_ value: String) async throws {
    let stub = ScriptedTransport(.response(429, ["Retry-After": value]), .response(200))
    let transport = retrying(stub)
    if value == "inf" {
      // No number and no date: the usual pause.
      async let response = transport.send(get)
      await clock.wake(after: .seconds(1))
      #expect(try await response.status == 200)
    } else {
      #expect(try await transport.send(get).status == 429)
    }
  }

  static let timeout = TransportError.timedOut("x", phase: .firstByte)
  static let connectTimeout = TransportError.timedOut("x", phase: .connect)
  static let interrupted = TransportError.interrupted("x", reason: "y")
  static let unreachable = TransportError.unreachable(host: "x", reason: "y")

  @Test(arguments: [
    (timeout, HTTPRequest.Method.get, HTTPRequest.Repetition.ifIdempotent, true),
    (interrupted, .put, .ifIdempotent, true), (interrupted, .delete, .ifIdempotent, true),
    (interrupted, .post, .ifIdempotent, false), (timeout, .post, .ifIdempotent, false),
    (interrupted, .post, .always, true), (interrupted, .get, .never, false),
    (unreachable, .post, .ifIdempotent, true), (connectTimeout, .post, .ifIdempotent, true),
    (unreachable, .post, .never, false), (.unknownHost("x"), .get, .always, false),
    (.offline, .get, .always, false), (.cancelled, .get, .always, false),
    (.untrusted(host: "x", reason: "y"), .get, .always, false),
    (.malformed("x", reason: "y"), .get, .always, false),
    (.diskFull(file: "x", needed: 1), .get, .always, false),
    (.timedOut("x", phase: .pace), .get, .always, false),
    (.timedOut("x", phase: .total), .get, .always, false),
  ])
  func `A failure is repeated if it passes and the request may go out twice`(
    _ error: TransportError, _ method: HTTPRequest.Method, _ repetition: HTTPRequest.Repetition,
    _ isRepeated: Bool
  ) async throws {
    let stub = ScriptedTransport(.failure(error), .response(200))
    let request = HTTPRequest("https://a.org/", method: method, repetition: repetition)
    let transport = retrying(stub)
    if isRepeated {
      async let response = transport.send(request)
      await clock.wake(after: .seconds(1))
      #expect(try await response.status == 200)
    } else {
      clock.refuseSleep()
      await #expect(throws: error) { try await transport.send(request) }
    }
  }

  @Test(arguments: [(429, true), (503, false)])
  func `A POST that was refused goes out again only if nothing can have been done`(
    _ status: Int, _ isRepeated: Bool
  ) async throws {
    let stub = ScriptedTransport(.response(status), .response(200))
    let transport = retrying(stub)
    let request = HTTPRequest("https://a.org/", method: .post)
    if !isRepeated { clock.refuseSleep() }
    async let response = transport.send(request)
    if isRepeated { await clock.wake(after: .seconds(1)) }
    #expect(try await response.status == (isRepeated ? 200 : status))
  }

  @Test func `Partial data of an interrupted response is discarded`() async throws {
    let stub = ScriptedTransport(
      .broken(200, body: "half", Self.interrupted), .response(200, body: "whole"))
    async let response = retrying(stub).send(get)
    await clock.wake(after: .seconds(1))
    #expect(try await response.body == Data("whole".utf8))
  }

  @Test func `A sink that cannot forget keeps its failure`() async throws {
    final class Sink: HTTPBodySink {
      func begin(_ head: HTTPResponseHead) {}
      func receive(_ bytes: RawSpan) {}
    }
    let stub = ScriptedTransport(.broken(200, body: "half", Self.interrupted), .response(200))
    let transport = retrying(stub)
    await #expect(throws: Self.interrupted) { try await transport.send(get, into: Sink()) }
    #expect(stub.requests.count == 1)
  }

  @Test func `A failure of the sink itself is not repeated`() async throws {
    let stub = ScriptedTransport(.response(200, body: "too long"))
    let transport = retrying(stub)
    await #expect(throws: TransportError.tooLarge("https://a.org/x", limit: 3)) {
      try await transport.send(get, limit: 3)
    }
    #expect(stub.requests.count == 1)
  }

  @Test func `A server that did not answer in time is asked again, by the default limits`()
    async throws
  {
    let clock = clock
    let stub = ScriptedTransport { request, number in
      guard number < 2 else { return .response(200) }
      clock.advance(by: request.timeouts.firstByte)
      return .failure(Self.timeout)
    }
    async let response = retrying(stub).send(get)
    for pause in [0.5, 1] { await clock.wake(after: .seconds(pause)) }
    #expect(try await response.status == 200)
    #expect(stub.requests.count == 3)
  }

  @Test func `Attempts share the total limit of their request`() async throws {
    let clock = clock
    let stub = ScriptedTransport { request, number in
      clock.advance(by: .seconds(9))
      return .response(503)
    }
    var request = get
    request.timeouts.total = .seconds(10)
    async let response: HTTPResponse = retrying(stub).send(request)
    await clock.wake(after: .seconds(1))
    do {
      _ = try await response
      Issue.record("it answered")
    } catch {
      #expect(error as? TransportError == .timedOut("https://a.org/x", phase: .total))
    }
    #expect(stub.requests.map(\.timeouts.total) == [.seconds(10)])
  }

  @Test func `A pause that the total limit does not allow is not waited for`() async throws {
    let clock = clock
    let stub = ScriptedTransport { _, _ in
      clock.advance(by: .seconds(1))
      return .response(503, ["Retry-After": "5"], body: "busy")
    }
    var request = get
    request.timeouts.total = .seconds(12)
    let limited = request
    async let response: HTTPResponse = retrying(stub).send(limited)
    // After the second response, at seven seconds, the pause would end with the limit.
    await clock.wake(after: .seconds(5))
    let last = try await response
    #expect(last.status == 503 && last.headers["Retry-After"] == "5")
    #expect(last.body == Data("busy".utf8))
    #expect(stub.requests.count == 2)
  }

  @Test func `Patience has an end`() async throws {
    let stub = ScriptedTransport(.failure(Self.timeout))
    let policy = RetryPolicy(attempts: 100, patience: .seconds(3))
    async let response: HTTPResponse = retrying(stub, policy).send(get)
    for pause in [0.5, 1] { await clock.wake(after: .seconds(pause)) }
    do {
      _ = try await response
      Issue.record("it answered")
    } catch {
      #expect(error as? TransportError == Self.timeout)
    }
    #expect(stub.requests.count == 3)
  }

  @Test func `Cancelling ends a pause`() async throws {
    let transport = retrying(ScriptedTransport(.response(503)))
    let task = Task { try await transport.send(get) }
    await clock.sleepers(1)
    task.cancel()
    await #expect(throws: TransportError.cancelled) { try await task.value }
  }

  @Test func `Pauses have a longest`() {
    let policy = RetryPolicy()
    #expect(policy.pause(after: 60, chance: 1) == policy.longestPause)
    #expect(policy.pause(after: 60, chance: 0) == policy.longestPause / 2)
    #expect(policy.pause(after: -1, chance: 7) == policy.firstPause)
  }
}
