internal import Foundation

extension JobQueue {
  /// Marks as active what may start now, and claims it.
  func start() -> [(JobID, JobClaim)] {
    let now = environment.now()
    var started: [(JobID, JobClaim)] = []
    for job in jobs where isIdle(job.id) {
      let isToEnd = job.state == .cancelling
      guard isToEnd || (job.isReady(at: now, policy) && hasRoom(for: job)) else { continue }
      guard let claim = claimToStart(job.id) else { continue }
      if !isToEnd { jobsByID[job.id]?.state = .waiting(.slot(ahead: 0)) }
      active.insert(job.id)
      started.append((job.id, claim))
    }
    return started
  }

  private func isIdle(_ id: JobID) -> Bool { !active.contains(id) && !elsewhere.contains(id) }

  /// Whether fewer jobs run than may, and none of them does something to the same subject or has the turn
  /// that this one waits for.
  private func hasRoom(for job: Job) -> Bool {
    guard active.count + elsewhere.count < limit else { return false }
    let turn = runner.turn(of: job)
    return !active.union(elsewhere).compactMap { jobsByID[$0] }.contains { other in
      other.subject == job.subject || turn != nil && runner.turn(of: other) == turn
    }
  }

  private func claimToStart(_ id: JobID) -> JobClaim? {
    do throws(JobError) {
      if let claim = try claim(id) { return claim }
      elsewhere.insert(id)
    } catch {
      putOff(id, because: error)
    }
    return nil
  }

  /// How long until the next job is looked at again, unless the queue is woken before.
  func nextPause() -> Duration? {
    let now = environment.now()
    let dates = jobsByID.values.compactMap { $0.nextLook(policy) }
    guard let next = dates.filter({ $0 > now }).min(), alarm.map({ $0 <= now || next < $0 }) ?? true
    else { return nil }
    alarm = next
    return .seconds(next.timeIntervalSince(now))
  }

  func wake(after pause: Duration) async {
    defer { alarm = nil }
    // Cancelled when the queue stops. Nothing is woken then: a queue that looks for the next alarm
    // at once, on a clock without sleepers, would never come to rest.
    guard (try? await environment.clock.sleep(for: pause)) != nil else { return }
    wake()
  }
}
