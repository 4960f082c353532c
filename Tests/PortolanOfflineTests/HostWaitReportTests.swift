import Foundation
import PortolanJobs
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The messages to people that a job waits for a host.
@Suite(.timeLimit(.minutes(5))) struct HostWaitReportTests {
  @Test func `A job reports which host its requests wait for, and when they continue`() async throws
  {
    let clock = ManualClock()
    let isAsked = Locked(false)
    let stub = StubTransport { request in
      let status = isAsked.withLock { asked in
        defer { asked = true }
        return asked ? 200 : 429
      }
      return .data(Data(), status: status, headers: ["Retry-After": "12"], to: request)
    }
    let transport = RetryingTransport(
      stub, clock: clock, now: { clock.date }, chance: { 1 })
    let (waits, wait) = AsyncStream<JobHostWait?>.makeStream()
    let reporter = JobReporter(
      progress: { _ in }, message: { _, _ in }, checkpoint: { _ in }, hostWait: { wait.yield($0) })
    let url = try #require(URL(string: "https://tiles.example.com/0"))
    let work = Task {
      try await HostWaitReport.reporting(reporter) {
        try await transport.send(HTTPRequest(url)).status
      }
    }
    await clock.sleepers(1)
    var told = waits.makeAsyncIterator()
    let first = try #require(await told.next())
    #expect(first?.host == "tiles.example.com" && first?.seconds == 12)
    await clock.wake(after: .seconds(12))
    #expect(try await work.value == 200)
  }
}
