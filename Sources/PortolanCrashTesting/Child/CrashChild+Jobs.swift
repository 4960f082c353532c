internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanOffline

// What people do to the jobs of a child: they give them up, let them pause, and take them off the list.
extension CrashChild {
  /// Begins to take the area offline, or the newer version of it, and gives that up; the map stays as it
  /// is then, unless that came too late.
  func cancelDownload(in library: MapLibrary) async throws {
    let before = try await version(in: library)
    let (queue, start) = (queue(library), Date())
    let id = try await begin(areaOrder(), in: queue)
    let work = Task { await queue.run() }
    defer { work.cancel() }
    await pass(order.version, changesOf: id, in: queue)
    report(.stop)
    do throws(JobError) { try await queue.cancel(id) } catch {
      // It was done by then.
      guard case .notPossible = error else { throw error }
    }
    let state = await end(of: id, in: queue, since: start, beyond: .max)
    await awaitOthers(in: queue)
    guard state != .succeeded else { return }
    guard state == .cancelled else { throw CrashTestError.jobEnded("\(state as Any)") }
    try await require(before, in: library)
    try requireNothingLeft(of: id)
  }

  /// Takes the newer version of the area offline, with a pause on the way; nothing happens in it.
  func pauseDownload(in library: MapLibrary) async throws {
    let before = try await version(in: library)
    let (queue, start) = (queue(library), Date())
    let id = try await begin(areaOrder(), in: queue)
    let work = Task { await queue.run() }
    defer { work.cancel() }
    await pass(order.version, changesOf: id, in: queue)
    report(.stop)
    do throws(JobError) { try await queue.pause(id) } catch {
      // It was done by then.
      guard case .notPossible = error else { throw error }
    }
    if await end(of: id, in: queue, since: start, beyond: .max) == .paused {
      try await require(before, in: library)
      try await queue.resume(id)
    }
    try await conclude(id, in: queue, since: start)
  }

  /// Takes the jobs that are over off the list, with all that is kept of them.
  func forgetJobs(in library: MapLibrary) async throws {
    let queue = queue(library)
    try await queue.restore()
    report(.stop)
    for job in await queue.jobs where job.state.isFinal {
      try await queue.forget(job.id)
      let known = try await library.storage.job(job.id)
      let messages = try await library.storage.messages(of: job.id)
      guard known == nil, messages.isEmpty else {
        throw CrashTestError.wrongEnd("\(job.id.text) is in the journal still")
      }
      try requireNothingLeft(of: job.id)
    }
  }

  /// Refuses what a job that was cancelled or forgotten has left on the disk.
  func requireNothingLeft(of job: JobID) throws {
    let left = layout.contents(of: .staging).map(\.lastPathComponent)
      .filter { $0.hasPrefix(job.text) }
    guard left.isEmpty else { throw CrashTestError.wrongEnd("it has left \(left)") }
  }

  /// Refuses another version of the map than the one that was there before its job was stopped, also one
  /// that appears only now.
  private func require(_ before: Int, in library: MapLibrary) async throws {
    try await library.recover()
    let now = try await version(in: library)
    guard now == before else {
      throw CrashTestError.wrongEnd("version \(now) is in the place of version \(before)")
    }
  }

  /// The number of the current version of the map; 0 if it is not on the list.
  private func version(in library: MapLibrary) async throws -> Int {
    let id = try subject()
    return try await library.maps().first { $0.id == id }?.version ?? 0
  }

  /// Waits for jobs that a child before this one was cancelling when it died.
  private func awaitOthers(in queue: JobQueue) async {
    for await jobs in await queue.updates() {
      let subject = order.subject
      if jobs.allSatisfy({ $0.subject != subject || $0.state.isFinal }) { return }
    }
  }

  /// Waits until a job has changed so many times, or is not at work any more.
  private func pass(_ count: Int, changesOf id: JobID, in queue: JobQueue) async {
    var seen = 0
    var last: Job?
    for await jobs in await queue.updates() {
      guard let job = jobs.first(where: { $0.id == id }) else { return }
      if job.progress.bytes > last?.progress.bytes ?? 0, !job.progress.isVerified {
        report(.download)
      }
      switch job.state {
      case .waiting(.slot), .running: break
      default: return
      }
      if job != last { seen += 1 }
      last = job
      if seen > count { return }
    }
  }
}
