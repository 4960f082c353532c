import Foundation
import Observation
import PortolanJobs
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanApp

/// The messages to people that a request waits for a host.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct HostWaitModelTests {
  @Test(arguments: [(2.0, 0.0, false), (3, 0, true), (120, 0, true), (1, 1.5, false), (1, 2, true)])
  func `Pauses that are over before anybody wonders are not shown, unless they add up`(
    _ seconds: Double, _ before: Double, _ isShown: Bool
  ) {
    let since = Date(timeIntervalSince1970: 1_795_000_000)
    let wait = HostWait(
      host: "a", since: since, until: since.addingTimeInterval(seconds),
      begun: since.addingTimeInterval(-before))
    #expect(HostWaitModel.isShown(wait) == isShown)
  }

  @Test func `Observers see which host is waited for, until it has answered`() async throws {
    let clock = ManualClock()
    let isAsked = Atomic<Bool>(false)
    let stub = StubTransport { request in
      let status = isAsked.exchange(true, ordering: .relaxed) ? 200 : 429
      return .data(Data(), status: status, headers: ["Retry-After": "12"], to: request)
    }
    let transport = RetryingTransport(stub, clock: clock, now: { clock.date }, chance: { 1 })
    let url = try #require(URL(string: "https://gis.example.org/0"))
    let model = HostWaitModel()
    let work = Task {
      // Why it failed does not matter here, only that it did.
      await model.reporting { try? await transport.send(HTTPRequest(url)).status }
    }
    for await wait in Observations({ model.state.wait }) {
      guard let wait else { continue }
      #expect(wait.host == "gis.example.org" && wait.seconds == 12)
      break
    }
    await clock.wake(after: .seconds(12))
    #expect(await work.value == 200)
    #expect(model.state.wait == nil)
  }
}
