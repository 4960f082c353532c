import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The requests to services for the status of their jobs.
@Suite struct ServerJobPollingTests {
  private let clock = CountingClock()
  private let page = PortalError.notJSON("job", .html(title: nil))

  /// Asks a service whose answers are given one after the other; `nil` for one that is no JSON.
  private func answer(_ answers: [Bool?]) async throws -> Bool? {
    var left = answers
    return try await ServerJobPolling(clock: clock).lastAnswer {
      guard let next = left.isEmpty ? true : left.removeFirst() else { throw page }
      return next
    } isOver: {
      $0
    }
  }

  @Test func `The first answers are asked for soon, later ones every two seconds`() async throws {
    #expect(try await answer([false, false, false, false, false, false, false]) == true)
    #expect(clock.now.offset == .milliseconds(7575))
  }

  @Test func `Answers that are no JSON count in a row, and not over the whole job`() async throws {
    let pages: [Bool?] = [nil, nil, nil, nil, nil]
    let waiting: [Bool?] = pages + [false]
    let long: [Bool?] = waiting + waiting
    #expect(try await answer(long + pages) == true)
    let tooMany: [Bool?] = pages + [nil]
    await #expect(throws: PortalError.self) { try await answer(tooMany) }
  }

  @Test func `JSON of another shape is passed over as a page is`() async throws {
    let other = PortalError.unexpected("job", reason: "there is no status of a job")
    #expect(try await looks(after: 5, other) == 6)
    await #expect(throws: other) { try await looks(after: 6, other) }
  }

  private static let interrupted = PortalError.transport(
    .interrupted("job", reason: "the connection ended"))
  private static let failures: [(error: PortalError, passes: Bool)] = [
    (interrupted, true), (.server("job", ErrorEnvelope(code: 503, message: "Restarting.")), true),
    (.server("job", ErrorEnvelope(code: 500, message: "No.")), false),
    (.transport(.offline), false), (.transport(.timedOut("job", phase: .firstByte)), false),
    (.notFound("job", nil), false), (.signInNeeded(host: "job"), false),
  ]

  /// The number of requests to a service that fails so many times before it answers.
  private func looks(after count: Int, _ error: PortalError, most: Int = 900) async throws -> Int {
    var looks = 0
    _ = try await ServerJobPolling(clock: clock, mostPolls: most).lastAnswer {
      looks += 1
      if looks <= count { throw error }
      return true
    } isOver: {
      $0
    }
    return looks
  }

  @Test(arguments: failures.indices)
  func `A service that fails for a moment is asked again, and others are not`(
    _ index: Int
  ) async throws {
    let (error, passes) = Self.failures[index]
    if passes {
      #expect(try await looks(after: 30, error) == 31)
      await #expect(throws: error) { try await looks(after: 31, error) }
    } else {
      await #expect(throws: error) { try await looks(after: 1, error) }
    }
  }

  @Test func `Failures count in a row, and not over the whole job`() async throws {
    var looks = 0
    let last = try await ServerJobPolling(clock: clock).lastAnswer {
      looks += 1
      guard looks.isMultiple(of: 31) else { throw Self.interrupted }
      return looks
    } isOver: {
      $0 > 31
    }
    #expect(last == 62)
  }

  @Test func `A caller that waits up to a minute learns the obstacle before it is over`()
    async throws
  {
    await #expect(throws: Self.interrupted) {
      try await looks(after: 20, Self.interrupted, most: ServerJobPolling.aMinute)
    }
  }
}
