import DemoPortal
import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The decisions of a job that makes a map about its parts, and its notes before.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct PartDecisionTests {
  private static let layers = [OfflineJobBed.layer(1, "Lighthouses")]

  private func order(_ parameters: GenerateOfflineMapParameters) throws -> OfflineJobOrder {
    try OfflineJobOrder(GenerateOfflineMapJobParameters(parameters: parameters), title: "Casco")
  }

  private func job(_ order: OfflineJobOrder, checkpoint: Data? = nil) throws -> Job {
    var job = Job(
      id: try #require(JobID(OfflineJobBed.jobName)), kind: order.kind, subject: order.subject,
      title: order.title, parameters: order.parameters, created: DemoBed.day, position: 0)
    job.checkpoint = checkpoint
    return job
  }

  /// The surroundings of a bed with other free space, or another look at what has arrived.
  private func environment(
    _ bed: OfflineJobBed, free: Int? = nil, check: OfflineEnvironment.Check? = nil
  ) -> OfflineEnvironment {
    let own = bed.bed.environment
    return OfflineEnvironment(
      library: own.library, connect: own.connect, check: check ?? own.check,
      surroundings: OfflineSurroundings(
        freeSpace: { _ in free }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
        makeID: { UUID() }))
  }

  private func run(
    _ order: OfflineJobOrder, in environment: OfflineEnvironment,
    _ journal: OfflineJobBed.Journal = OfflineJobBed.Journal()
  ) async throws -> Result<JobOutcome, JobInterruption> {
    let reporter = JobReporter(
      progress: { _ in }, message: { text, _ in await journal.add(text) },
      checkpoint: { await journal.keep($0) })
    let job = try job(order, checkpoint: await journal.checkpoint)
    do throws(JobInterruption) {
      return .success(try await OfflineJobRunner(environment).run(job, reporter: reporter))
    } catch {
      return .failure(error)
    }
  }

  // MARK: - Room

  @Test(arguments: [(0, false), ((16 << 20) - 1, false), (16 << 20, true)])
  func `A map is begun with sixteen megabytes of room, and not with less`(
    _ free: Int, _ isBegun: Bool
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let order = try order(try await bed.parameters(operational: Self.layers))
    let result = try await run(order, in: environment(bed, free: free))
    if isBegun {
      #expect(try result.get().isComplete)
    } else {
      #expect(result == .failure(.waiting(.space(missing: (16 << 20) - free))))
      #expect(bed.bed.library.layout.contents(of: .staging).isEmpty)
      #expect(await bed.bed.transport.log.count(of: "/createReplica") == 0)
    }
  }

  // MARK: - What arrives

  @Test(arguments: [1, 2])
  func `A copy that arrives damaged is fetched once more, and left out after that`(
    _ damaged: Int
  ) async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let looks = Locked(0)
    let environment = environment(bed) { url in
      guard url.pathExtension == "geodatabase" else { return url.lastPathComponent }
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      guard look > damaged else {
        throw OfflineMapError.damaged(file: "a", reason: "half of it is missing.")
      }
      return url.lastPathComponent
    }
    let order = try order(
      try await bed.parameters(operational: Self.layers, basemap: [OfflineJobBed.pictures]))
    let outcome = try await run(order, in: environment).get()
    #expect(outcome.isComplete == (damaged == 1))
    let fetched = await bed.bed.transport.log.paths.filter { $0.contains("/replicafilescache/") }
    #expect(fetched.count == 2)
    #expect(looks.withLock(\.self) == 2)
    guard damaged == 2 else { return }
    let failure = OfflineMapError.damaged(
      file: "Lighthouses",
      reason: try #require(
        OfflineMapError.damaged(file: "a", reason: "half of it is missing.").errorDescription))
    #expect(outcome.failedItems.map(\.name) == ["Lighthouses"])
    #expect(outcome.failedItems.map(\.failure) == [JobFailure(failure, kind: .damaged)])
  }

  @Test func `A service whose answer says nothing of a job has refused the copy`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory) {
      AnsweringTransport(
        inner: $0, path: "/createReplica", answer: Data(#"{"replicaID": "{A}"}"#.utf8))
    }
    let order = try order(
      try await bed.parameters(operational: Self.layers, basemap: [OfflineJobBed.pictures]))
    let outcome = try await run(order, in: bed.bed.environment).get()
    let failure = OfflineMapError.serverJobFailed(
      service: "Lighthouses", reason: "the answer is empty")
    #expect(outcome.failedItems.map(\.failure) == [JobFailure(failure, kind: .refused)])
    // It may have made one all the same.
    let messages = try await bed.bed.storage.outgoingMessages()
    #expect(messages.count == 1 && messages.first?.fields[ReplicaRelease.nameField] != nil)
  }

  // MARK: - What is written down

  /// Writes down what a service is asked for, unless the disk is full.
  private func book(
    _ kept: Locked<[OnDemandCheckpoint]>, isFull: Bool = false
  ) throws -> OnDemandBook {
    let job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "S", parameters: Data(),
      created: DemoBed.day, position: 0)
    return OnDemandBook(
      job,
      JobReporter(
        progress: { _ in }, message: { _, _ in },
        checkpoint: { data throws(JobInterruption) in
          guard !isFull else { throw .failed(JobFailure(message: "It is full.", kind: .device)) }
          // A part that cannot be read is missing in the list.
          let checkpoint = data.flatMap {
            try? JSONDecoder().decode(OnDemandCheckpoint.self, from: $0)
          }
          kept.withLock { $0 += [checkpoint].compactMap(\.self) }
        }))
  }

  private func address() throws -> OnDemandPart.Address {
    OnDemandPart.Address(
      id: "replica:a", url: try #require(URL(string: "https://a.example/FeatureServer")),
      isVector: false)
  }

  @Test func `Changes that come while another is being written undo none`() async throws {
    let job = Job(
      id: try #require(JobID("a")), kind: "k", subject: "s", title: "S", parameters: Data(),
      created: DemoBed.day, position: 0)
    let journal = OfflineJobBed.Journal()
    let book = OnDemandBook(
      job,
      JobReporter(
        progress: { _ in }, message: { _, _ in },
        checkpoint: { data in
          // Others have their turn in the middle of it.
          for _ in 0..<10 { await Task.yield() }
          await journal.keep(data)
        }))
    let numbers: [Int] = try await withThrowingTaskGroup(of: Int.self) { group in
      for part in 0..<20 {
        group.addTask {
          try await book.setUnreadable(["Huts": 1], for: "\(part)")
          return try await book.nextSubmission()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers.sorted() == Array(1...20))
    let data = try #require(await journal.checkpoint)
    let kept = try JSONDecoder().decode(OnDemandCheckpoint.self, from: data)
    #expect(kept.submissions == 20 && kept.unreadableShapes?.count == 20)
  }

  @Test func `Each change is written down at once, and what is the same is not written again`()
    async throws
  {
    let kept = Locked<[OnDemandCheckpoint]>([])
    let book = try book(kept)
    var serverJob = OnDemandCheckpoint.ServerJob(address: try address())
    #expect(!serverJob.isSubmitted)
    serverJob.replicaName = "portolan_a"
    #expect(!serverJob.isSubmitted)
    try await book.set(serverJob, for: "a")
    #expect(await book.serverJob(of: "a") == serverJob)
    #expect(try await book.nextSubmission() == 1)
    #expect(try await book.nextSubmission() == 2)
    try await book.setUnreadable([:], for: "a")
    try await book.setUnreadable(["Huts": 2], for: "a")
    try await book.setUnreadable(["Huts": 2], for: "a")
    try await book.setUnreadable(["Roads": 1], for: "b")
    let item = JobFailedItem(
      name: "Huts", attempts: 1, failure: JobFailure(message: "No.", kind: .absent))
    try await book.willStore(after: 4, [item])
    try await book.set(nil, for: "a")
    let steps = kept.withLock(\.self)
    #expect(steps.count == 7)
    #expect(steps.map { $0.serverJobs.count } == [1, 1, 1, 1, 1, 1, 0])
    #expect(steps.map(\.submissions) == [0, 1, 2, 2, 2, 2, 2])
    let shapes = ["a": ["Huts": 2], "b": ["Roads": 1]]
    #expect(steps.last?.unreadableShapes == shapes)
    #expect(steps.map(\.version) == [nil, nil, nil, nil, nil, 4, 4])
    #expect(steps.last?.failedItems == [item])
  }

  @Test func `What could not be written down does not count`() async throws {
    let book = try book(Locked([]), isFull: true)
    let serverJob = OnDemandCheckpoint.ServerJob(address: try address())
    await #expect(throws: JobInterruption.self) { try await book.set(serverJob, for: "a") }
    #expect(await book.serverJob(of: "a") == nil)
    await #expect(throws: JobInterruption.self) { try await book.nextSubmission() }
    #expect(await book.checkpoint.submissions == 0)
  }

  @Test func `A service has accepted a job once it has returned where it is found`() throws {
    let serverJob = OnDemandCheckpoint.ServerJob(address: try address())
    var jobs = Array(repeating: serverJob, count: 3)
    jobs[0].statusURL = URL(string: "https://a.example/jobs/1")
    jobs[1].jobID = "j1"
    jobs[2].resultURL = URL(string: "https://a.example/file")
    #expect(jobs.map(\.isSubmitted) == [true, true, true])
  }

  // MARK: - Kinds of jobs

  @Test func `A job of a kind that is not known leaves nothing of its own once it is discarded`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var job = try job(order(try await bed.parameters(operational: Self.layers)))
    let staging = bed.bed.library.layout.staging(OfflineJobBed.jobName)
    let runner = OfflineJobRunner(bed.bed.environment)
    // Of parameters that nobody can read nothing is known of what a service was asked for.
    job.parameters = Data("?".utf8)
    let failure = JobFailure(OfflineMapError.badParameters, kind: .device)
    await #expect(throws: failure) { try await runner.discard(job) }
    let other = Job(
      id: job.id, kind: "teleportation", subject: "s", title: "S", parameters: job.parameters,
      created: DemoBed.day, position: 0)
    try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)
    try await runner.discard(other)
    #expect(!FileManager.default.fileExists(atPath: staging.path(percentEncoded: false)))
  }
}
