internal import PortolanJobs
internal import PortolanTransport

/// Reports for a job which host its requests wait for.
enum HostWaitReport {
  /// Does the work of a job, and reports meanwhile whenever its requests begin or cease to wait.
  static func reporting<Result: Sendable>(
    _ reporter: JobReporter, of work: () async throws -> Result
  ) async throws -> Result {
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observer = HostWaitObserver { change.yield() }
    async let _: Void = report(changes, of: observer, to: reporter)
    defer { change.finish() }
    return try await observer.observe(work)
  }

  private static func report(
    _ changes: AsyncStream<Void>, of observer: HostWaitObserver, to reporter: JobReporter
  ) async {
    for await _ in changes { await reporter.hostWait(observer.wait.map(JobHostWait.init)) }
  }
}

extension JobHostWait {
  fileprivate init(_ wait: HostWait) {
    self.init(host: wait.host, since: wait.since, until: wait.until)
  }
}
