import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// How services are asked what became of their jobs.
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
    #expect(clock.now.offset == .milliseconds(7850))
  }

  @Test func `Answers that are no JSON count in a row, and not over the whole job`() async throws {
    let pages: [Bool?] = [nil, nil, nil, nil, nil]
    let waiting: [Bool?] = pages + [false]
    let long: [Bool?] = waiting + waiting
    #expect(try await answer(long + pages) == true)
    let tooMany: [Bool?] = pages + [nil]
    await #expect(throws: PortalError.self) { try await answer(tooMany) }
  }
}
