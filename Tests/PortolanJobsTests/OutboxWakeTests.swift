import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanJobs

/// The time at which messages left by jobs are sent.
@Suite(.timeLimit(.minutes(5))) struct OutboxWakeTests {
  private let bed = QueueBed()

  @Test func `A job's messages to a service are sent once it has ended`() async throws {
    let (outbox, delivery) = (InMemoryOutbox(), ScriptedDelivery())
    func post(_ name: String) async throws {
      let portal = try #require(URL(string: "https://portal.example"))
      await outbox.post(
        OutboxMessage(
          id: try #require(OutboxMessage.ID(name)), purpose: "Say \(name).", portal: portal,
          address: portal, fields: [:], created: bed.clock.date))
    }
    let environment = JobEnvironment(
      clock: bed.clock, now: { [clock = bed.clock] in clock.date }, makeID: { JobID(UUID()) })
    let queue = JobQueue(
      journal: bed.journal, runner: bed.runner,
      outbox: OutboxWorker(outbox: outbox, delivery: delivery, environment: environment),
      environment: environment)
    _ = try await bed.submit("a", to: queue)
    try await post("before")
    try await bed.running(queue) {
      await bed.runner.started("a")
      // The first round is over what there was when it began.
      await delivery.hears(1)
      try await post("left")
      await bed.runner.finish("a", with: .success(JobOutcome()))
      await delivery.hears(2)
    }
    #expect(await delivery.heard == ["before", "left"])
  }
}
