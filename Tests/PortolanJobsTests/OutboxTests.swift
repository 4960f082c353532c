import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanJobs

/// The pending messages to servers, and their delivery.
@Suite(.timeLimit(.minutes(5))) struct OutboxTests {
  private let clock = ManualClock()
  private let outbox = InMemoryOutbox()
  private let delivery = ScriptedDelivery()

  private var environment: JobEnvironment {
    JobEnvironment(clock: clock, now: { [clock] in clock.date }, makeID: { JobID(UUID()) })
  }

  private func worker(_ claims: (any JobClaims)? = nil) -> OutboxWorker {
    OutboxWorker(outbox: outbox, delivery: delivery, claims: claims, environment: environment)
  }

  private func post(_ name: String) async throws { await outbox.post(try message(name)) }

  private func message(
    _ name: String, _ fields: [String: String] = [:]
  ) throws -> OutboxMessage {
    let portal = try #require(URL(string: "https://portal.example"))
    return OutboxMessage(
      id: try #require(OutboxMessage.ID(name)), purpose: "Cancel \(name).", portal: portal,
      address: portal, fields: fields, created: clock.date)
  }

  private func running(_ worker: OutboxWorker, _ body: () async throws -> Void) async throws {
    let work = Task { await worker.run() }
    do { try await body() } catch {
      work.cancel()
      throw error
    }
    work.cancel()
    await work.value
  }

  @Test func `A message is delivered in order and forgotten`() async throws {
    try await post("a")
    try await post("b")
    let worker = worker()
    await worker.deliverDue()
    #expect(await delivery.heard == ["a", "b"])
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `Text added to a message during its delivery is delivered too`() async throws {
    try await post("a")
    let richer = try message("a", ["told": "2"])
    await delivery.meanwhile { [outbox] in await outbox.post(richer) }
    let worker = worker()
    await worker.deliverDue()
    await worker.deliverDue()
    #expect(await delivery.heard == ["a", "a"])
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `A failing message is retried at growing intervals, and never dropped`() async throws {
    try await post("a")
    let worker = worker()
    let busy = JobFailure(message: "Busy.", kind: .transient)
    for pause in [30, 60, 120] {
      await delivery.answer(with: .failed(busy))
      await worker.deliverDue()
      let message = try #require(await outbox.outgoingMessages().first)
      #expect(message.notBefore == clock.date.addingTimeInterval(Double(pause)))
      await worker.deliverDue()
      clock.advance(by: .seconds(pause))
    }
    #expect(await delivery.heard.count == 3)
    await worker.deliverDue()
    #expect(await delivery.heard.count == 4)
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `A message that is to be tried later does not hold up those after it`() async throws {
    try await post("a")
    let worker = worker()
    await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
    await worker.deliverDue()
    try await post("b")
    await worker.deliverDue()
    #expect(await delivery.heard == ["a", "b"])
    #expect(await outbox.outgoingMessages().map(\.id.text) == ["a"])
  }

  @Test(arguments: [JobWait.network, .signIn(host: "portal.example")])
  func `Messages that wait for a network or a sign-in are sent once it is there`(
    _ wait: JobWait
  ) async throws {
    try await post("a")
    let worker = worker()
    await delivery.answer(with: .waiting(wait))
    await worker.deliverDue()
    await worker.deliverDue()
    #expect(await delivery.heard.count == 1)
    #expect(await outbox.outgoingMessages().map(\.attempts) == [0])
    try await running(worker) {
      await worker.conditionsHaveChanged(wait == .network ? .network : .signIn)
      await delivery.hears(2)
    }
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `A pause that a server asks for is kept`() async throws {
    try await post("a")
    let busy = JobFailure(message: "Busy.", kind: .transient, retryAfter: 3_600)
    await delivery.answer(with: .failed(busy))
    await worker().deliverDue()
    let message = try #require(await outbox.outgoingMessages().first)
    #expect(message.notBefore == clock.date.addingTimeInterval(3_600))
  }

  @Test func `A clock that was set back does not put off what is to be sent`() async throws {
    let portal = try #require(URL(string: "https://portal.example"))
    let day = clock.date
    let message = OutboxMessage(
      id: try #require(OutboxMessage.ID("a")), purpose: "Say it.", portal: portal,
      address: portal, fields: [:], created: day
    ).afterFailing(.failed(JobFailure(message: "Busy.", kind: .transient)), at: day, .outbox)
    #expect(!message.isDue(at: day.addingTimeInterval(29)))
    #expect(message.isDue(at: day.addingTimeInterval(30)))
    #expect(message.isDue(at: day.addingTimeInterval(-1_000_000)))
  }

  @Test func `A pause that a clock far ahead has said is over once the clock is right`() throws {
    let day = clock.date
    let ahead = day.addingTimeInterval(2_000_000_000)
    let failure = JobFailure(message: "Busy.", kind: .transient)
    let message = try message("a").afterFailing(.failed(failure), at: ahead, .outbox)
    #expect(!message.isDue(at: ahead.addingTimeInterval(29)))
    #expect(message.isDue(at: day.addingTimeInterval(60)))
    // The next pause is one by the right clock.
    let later = day.addingTimeInterval(60)
    let again = message.afterFailing(.failed(failure), at: later, .outbox)
    #expect(!again.isDue(at: later.addingTimeInterval(59)))
    #expect(again.isDue(at: later.addingTimeInterval(60)))
  }

  @Test func `A process that dies before it records a delivery delivers again`() async throws {
    try await post("a")
    await delivery.answer(with: .stopped)
    await worker().deliverDue()
    #expect(await outbox.outgoingMessages().map(\.attempts) == [0])
    await worker().deliverDue()
    #expect(await delivery.heard == ["a", "a"])
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `One process at a time works on an outbox`() async throws {
    try await post("a")
    let claims = InMemoryJobClaims()
    do {
      let claim = claims.claim(try #require(OutboxWorker.claimID))
      await worker(claims).deliverDue()
      #expect(await delivery.heard.isEmpty)
      withExtendedLifetime(claim) {}
    }
    await worker(claims).deliverDue()
    #expect(await delivery.heard == ["a"])
  }

  @Test func `Delivery on exit includes messages that waited for a network before`()
    async throws
  {
    try await post("a")
    await delivery.answer(with: .waiting(.network))
    await worker().deliver(within: .seconds(5))
    #expect(await outbox.outgoingMessages().map(\.attempts) == [0])
    try await post("b")
    await worker().deliver(within: .seconds(5))
    #expect(await delivery.heard == ["a", "a", "b"])
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `An unresponsive server does not prevent leaving, and is notified later`()
    async throws
  {
    try await post("a")
    await delivery.fallSilent()
    let worker = worker()
    let leaving = Task { await worker.deliver(within: .seconds(5)) }
    await delivery.hears(1)
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    await leaving.value
    let message = try #require(await outbox.outgoingMessages().first)
    #expect(message.attempts == 1)
    #expect(message.notBefore == clock.date.addingTimeInterval(30))
    // The next who leaves does not wait for it again.
    await worker.deliver(within: .seconds(5))
    #expect(await delivery.heard == ["a"])
    clock.advance(by: .seconds(30))
    await worker.deliver(within: .seconds(5))
    #expect(await delivery.heard == ["a", "a"])
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `Leaving does not wait while another process works on the outbox`() async throws {
    let worker = worker()
    try await running(worker) {
      await clock.sleepers(1)
      try await post("a")
      await worker.deliver(within: .seconds(5))
      await delivery.hears(1)
    }
    #expect(await delivery.heard == ["a"])
  }

  @Test func `A job's checkpoint outlives a crash, and cancelling leaves the word for the server`()
    async throws
  {
    let journal = FaultyJournal()
    let runner = ServerJobRunner(outbox: outbox)
    func queue() -> JobQueue {
      JobQueue(journal: journal, runner: runner, outbox: worker(), environment: environment)
    }
    let first = queue()
    let id = try await first.submit(kind: "k", subject: "s", title: "S", parameters: Data()).job.id
    let work = Task { await first.run() }
    await runner.waiting()
    // Nothing more is written, as if the process were killed.
    await journal.refuse()
    work.cancel()
    await work.value
    await journal.refuse(false)

    let next = queue()
    try await next.restore()
    #expect(try await next.job(id).checkpoint == Data("job-1".utf8))
    try await next.cancel(id)
    #expect(try await next.job(id).state == .cancelled)
    #expect(await outbox.outgoingMessages().map(\.id.text) == ["job-1"])
    let sending = Task { await next.run() }
    await delivery.hears(1)
    sending.cancel()
    await sending.value
    #expect(await delivery.heard == ["job-1"])
  }

  @Test func `A step whose checkpoint cannot be written is not taken`() async throws {
    let journal = FaultyJournal()
    let runner = ServerJobRunner(outbox: outbox) { await journal.refuse() }
    let queue = JobQueue(journal: journal, runner: runner, environment: environment)
    let id = try await queue.submit(kind: "k", subject: "s", title: "S", parameters: Data()).job.id
    let work = Task { await queue.run() }
    for await jobs in await queue.updates() where jobs.first?.state.isDeviceFailure == true {
      break
    }
    work.cancel()
    await work.value
    #expect(await !runner.hasWaited)
    #expect(await journal.job(id)?.checkpoint == nil)
  }

  @Test func `A network ends the pauses once, and not those that come after it`() async throws {
    try await post("a")
    let worker = worker()
    for _ in 1...3 {
      await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
    }
    await worker.deliverDue()
    await worker.conditionsHaveChanged(.network)
    await worker.deliverDue()
    await worker.deliverDue()
    #expect(await delivery.heard == ["a", "a"])
  }

  @Test func `A network that comes while another process has the outbox is not forgotten`()
    async throws
  {
    try await post("a")
    let claims = InMemoryJobClaims()
    let worker = worker(claims)
    await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
    await worker.deliverDue()
    do {
      let claim = claims.claim(try #require(OutboxWorker.claimID))
      await worker.conditionsHaveChanged(.network)
      await worker.deliverDue()
      #expect(await delivery.heard == ["a"])
      withExtendedLifetime(claim) {}
    }
    await worker.deliverDue()
    #expect(await delivery.heard == ["a", "a"])
  }

  @Test func `A network that comes while the outbox cannot be read is not forgotten`() async throws
  {
    try await post("a")
    await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
    await worker().deliverDue()
    let faulty = FaultyOutbox(outbox, failing: .reading)
    let later = OutboxWorker(outbox: faulty, delivery: delivery, environment: environment)
    await later.conditionsHaveChanged(.network)
    await later.deliverDue()
    await faulty.mend()
    await later.deliverDue()
    #expect(await delivery.heard == ["a", "a"])
  }

  @Test(arguments: [true, false])
  func `A network that comes is not forgotten for those after one that could not be noted`(
    _ isCancelled: Bool
  ) async throws {
    for name in ["a", "b"] { try await post(name) }
    for _ in 1...2 {
      await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
    }
    await worker().deliverDue()
    let faulty = FaultyOutbox(outbox, failing: isCancelled ? nil : .removing)
    let later = OutboxWorker(outbox: faulty, delivery: delivery, environment: environment)
    await later.conditionsHaveChanged(.network)
    if isCancelled {
      await delivery.fallSilent()
      let leaving = Task { await later.deliverDue() }
      await delivery.hears(3)
      leaving.cancel()
      await leaving.value
    } else {
      await later.deliverDue()
      await faulty.mend()
    }
    #expect(await delivery.heard == ["a", "b", "a"])
    await later.deliverDue()
    #expect(await delivery.heard == ["a", "b", "a", "a", "b"])
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `A sign-in is not forgotten where the work ends while the last message is sent`()
    async throws
  {
    try await post("a")
    let worker = worker()
    await delivery.answer(with: .waiting(.signIn(host: "portal.example")))
    await worker.deliverDue()
    await worker.conditionsHaveChanged(.signIn)
    await delivery.fallSilent()
    let work = Task { await worker.deliverDue() }
    await delivery.hears(2)
    work.cancel()
    await work.value
    await worker.deliverDue()
    #expect(await delivery.heard == ["a", "a", "a"])
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  /// The fault of an outbox, on a disk that is full or cannot be read.
  enum Fault: CaseIterable { case reading, noting, removing }

  @Test(arguments: Fault.allCases)
  func `A message whose delivery could not be noted stays in the outbox, and is sent again`(
    _ fault: Fault
  ) async throws {
    try await post("a")
    let faulty = FaultyOutbox(outbox, failing: fault)
    let worker = OutboxWorker(outbox: faulty, delivery: delivery, environment: environment)
    if fault == .noting {
      await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
    }
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().map(\.attempts) == [0])
    await faulty.mend()
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().isEmpty)
    #expect(await delivery.heard == (fault == .reading ? ["a"] : ["a", "a"]))
  }
}

/// Remembers what it was to deliver, and refuses as a test wants.
actor ScriptedDelivery: OutboxDelivery {
  private(set) var heard: [String] = []
  private var answers: [JobInterruption] = []
  private var watchers: [(Int, CheckedContinuation<Void, Never>)] = []

  private var isSilent = false
  private var work: (@Sendable () async -> Void)?

  /// Does something while the next message is delivered.
  func meanwhile(_ work: @escaping @Sendable () async -> Void) { self.work = work }

  func answer(with interruption: JobInterruption) { answers.append(interruption) }

  /// Lets the next message wait until nobody wants it to be delivered any more.
  func fallSilent() { isSilent = true }

  func deliver(_ message: OutboxMessage) async throws(JobInterruption) {
    heard.append(message.id.text)
    let count = heard.count
    for watcher in watchers where watcher.0 <= count { watcher.1.resume() }
    watchers.removeAll { $0.0 <= count }
    if let work {
      self.work = nil
      await work()
    }
    if isSilent {
      isSilent = false
      while !Task.isCancelled { await Task.yield() }
      throw .stopped
    }
    if !answers.isEmpty { throw answers.removeFirst() }
  }

  func hears(_ count: Int) async {
    if heard.count >= count { return }
    await withCheckedContinuation { watchers.append((count, $0)) }
  }
}

/// Starts a job on a server, waits for it, and has the server told when it is cancelled.
private actor ServerJobRunner: JobRunner {
  private let outbox: InMemoryOutbox
  private let beforeCheckpoint: @Sendable () async -> Void
  private(set) var hasWaited = false
  private var watchers: [CheckedContinuation<Void, Never>] = []

  init(
    outbox: InMemoryOutbox, beforeCheckpoint: @escaping @Sendable () async -> Void = {}
  ) {
    self.outbox = outbox
    self.beforeCheckpoint = beforeCheckpoint
  }

  func run(_ job: Job, reporter: JobReporter) async throws(JobInterruption) -> JobOutcome {
    await beforeCheckpoint()
    try await reporter.checkpoint(Data("job-1".utf8))
    hasWaited = true
    for watcher in watchers { watcher.resume() }
    watchers = []
    // The server never ends by itself.
    while !Task.isCancelled { await Task.yield() }
    throw .stopped
  }

  func discard(_ job: Job) async throws(JobFailure) {
    guard let checkpoint = job.checkpoint,
      let id = OutboxMessage.ID(String(decoding: checkpoint, as: UTF8.self)),
      let portal = URL(string: "https://portal.example")
    else { return }
    await outbox.post(
      OutboxMessage(
        id: id, purpose: "Cancel the job on the server.", portal: portal, address: portal,
        fields: [:], created: job.created))
  }

  func waiting() async {
    if hasWaited { return }
    await withCheckedContinuation { watchers.append($0) }
  }
}

/// An outbox that cannot do one thing until it is mended.
private actor FaultyOutbox: Outbox {
  private let outbox: InMemoryOutbox
  private var fault: OutboxTests.Fault?

  init(_ outbox: InMemoryOutbox, failing fault: OutboxTests.Fault?) {
    self.outbox = outbox
    self.fault = fault
  }

  func mend() { fault = nil }

  private func check(_ fault: OutboxTests.Fault) throws(JobError) {
    if self.fault == fault { throw .journal(file: "a.sqlite", reason: "the disk is full") }
  }

  func post(_ message: OutboxMessage) async { await outbox.post(message) }

  func outgoingMessages() async throws(JobError) -> [OutboxMessage] {
    try check(.reading)
    return await outbox.outgoingMessages()
  }

  func update(_ message: OutboxMessage) async throws(JobError) {
    try check(.noting)
    await outbox.update(message)
  }

  func remove(delivered message: OutboxMessage) async throws(JobError) {
    try check(.removing)
    await outbox.remove(delivered: message)
  }

  func remove(_ id: OutboxMessage.ID) async throws(JobError) {
    try check(.removing)
    await outbox.remove(id)
  }
}
