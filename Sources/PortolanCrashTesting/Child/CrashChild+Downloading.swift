internal import Foundation
internal import PortolanCurl
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline
internal import PortolanPortal
internal import PortolanTransport

// How a child takes maps offline: through the queue of jobs, as the app does.
extension CrashChild {
  /// Takes the area offline, or the newer version of it.
  func download(into library: MapLibrary) async throws { try await run(areaOrder(), in: library) }

  /// What is to be taken offline.
  func areaOrder() throws -> OfflineJobOrder {
    let parameters = DownloadPreplannedOfflineMapParameters(
      portal: order.portal, webMap: order.webMap, area: order.subject, updateMode: nil)
    return try OfflineJobOrder(parameters, title: order.subject)
  }

  /// Has a job done by a queue.
  func run(_ work: OfflineJobOrder, in library: MapLibrary) async throws {
    let (queue, start) = (queue(library), Date())
    let id = try await begin(work, in: queue)
    let work = Task { await queue.run() }
    defer { work.cancel() }
    try await conclude(id, in: queue, since: start)
  }

  /// Asks for a job, or lets the one continue that a child before this one has left.
  func begin(_ work: OfflineJobOrder, in queue: JobQueue) async throws -> JobID {
    try await queue.restore()
    let (job, isNew) = try await queue.submit(work)
    // One that waits tries again, since it is requested.
    if !isNew, job.state.canResume { try await queue.resume(job.id) }
    return job.id
  }

  /// Waits for the end of a job; one that is refused because of edits is given up.
  func conclude(_ id: JobID, in queue: JobQueue, since start: Date) async throws {
    let state = await end(of: id, in: queue, since: start)
    guard state != .succeeded else { return }
    guard let state, let refusal = ChildRefusal(state) else {
      throw CrashTestError.jobEnded(state.map { "\($0)" } ?? "nothing")
    }
    report("refused \(refusal.rawValue)")
    // A job that waits for another process stays as it is, and continues then.
    guard refusal == .edits else { return }
    if order.act == .update, order.version > 0 {
      try await queue.forget(id)
    } else {
      try await queue.cancel(id)
      let end = await end(of: id, in: queue, since: start)
      guard end == .cancelled else { throw CrashTestError.jobEnded("\(state as Any)") }
    }
    try requireNothingLeft(of: id)
  }

  /// How a job ends, or why it goes no further by itself; what the journal says from before is no end.
  ///
  /// - Parameters:
  ///   - id: The job.
  ///   - queue: Its queue.
  ///   - start: When it was asked for.
  ///   - known: How many bytes have to be there before more are a download that is reported.
  /// - Returns: Its state; `nil` if there is no such job any more.
  func end(
    of id: JobID, in queue: JobQueue, since start: Date, beyond known: Int = 0
  ) async -> JobState? {
    var bytes = known
    for await jobs in await queue.updates() {
      guard let job = jobs.first(where: { $0.id == id }) else { continue }
      if job.progress.bytes > bytes, !job.progress.isVerified { report(.download) }
      bytes = max(bytes, job.progress.bytes)
      switch job.state {
      case .waiting(.slot), .running, .cancelling: continue
      // No space is made while a child runs.
      default: if job.updated >= start { return job.state }
      }
    }
    return nil
  }

  func queue(_ library: MapLibrary) -> JobQueue {
    JobQueue(
      journal: library.storage, runner: OfflineJobRunner(environment(library)),
      claims: FileJobClaims(url: layout.claims),
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { Date() }, makeID: { JobID(UUID()) }))
  }

  func environment(_ library: MapLibrary) -> OfflineEnvironment {
    // There is no need to wait for a service that has long been done.
    let clock: any Clock<Duration> = order.act.isOfSync ? AcceleratedClock() : ContinuousClock()
    let transport = LiveTransport(
      LiveTransport.Configuration(curl: CurlConfiguration(userAgent: "Portolan/crash-test")),
      monitor: FixedNetworkMonitor(.online(isMetered: nil)), now: { Date() }, chance: { 0.5 })
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    return OfflineEnvironment(
      library: library,
      connect: { url in
        report(.ask)
        return Portal(url: url, client: client)
      },
      check: { url in
        report(.verify)
        return try await MapOpening(folder: order.home).title(of: url)
      },
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: clock, now: { Date() }, chance: { 0.5 },
        makeID: { UUID() }))
  }
}
