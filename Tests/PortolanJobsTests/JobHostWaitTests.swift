import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanJobs

/// The host that a running job waits for.
@Suite(.timeLimit(.minutes(5))) struct JobHostWaitTests {
  private let bed = QueueBed()

  private var wait: JobHostWait {
    JobHostWait(
      host: "tiles.example.com", since: bed.clock.date,
      until: bed.clock.date.addingTimeInterval(12))
  }

  @Test func `Observers of a job see which host it waits for, and the journal never does`()
    async throws
  {
    let queue = bed.queue()
    let id = try await bed.submit("casco", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("casco")
      await bed.runner.waits("casco", for: wait)
      for await jobs in await queue.updates() where jobs.first?.hostWait != nil {
        #expect(jobs.first?.hostWait == wait)
        break
      }
      #expect(wait.seconds == 12)
      await bed.runner.report("casco", JobProgress(bytes: 1))
      let (shown, written) = (try await queue.job(id), await bed.journal.job(id))
      #expect(shown.hostWait == wait && written?.hostWait == nil)
      await bed.runner.waits("casco", for: nil)
      let last = try await queue.job(id)
      #expect(last.hostWait == nil)
    }
  }

  @Test func `A finished job waits for no host, whatever was reported last`() async throws {
    let queue = bed.queue()
    let id = try await bed.submit("casco", to: queue)
    try await bed.running(queue) {
      await bed.runner.started("casco")
      await bed.runner.waits("casco", for: wait)
      await bed.runner.finish("casco", with: .success(JobOutcome()))
      let ended = try await bed.wait(for: id, in: queue) { $0 == .succeeded }
      #expect(ended.hostWait == nil)
      await bed.runner.waits("casco", for: wait)
      let last = try await queue.job(id)
      #expect(last.hostWait == nil)
    }
  }
}
