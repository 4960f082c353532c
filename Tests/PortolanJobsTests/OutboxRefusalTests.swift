import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanJobs

/// The point at which a message to a server is given up.
@Suite struct OutboxRefusalTests {
  private let clock = ManualClock()
  private let outbox = InMemoryOutbox()
  private let delivery = ScriptedDelivery()

  private func worker() -> OutboxWorker {
    OutboxWorker(
      outbox: outbox, delivery: delivery,
      environment: JobEnvironment(
        clock: clock, now: { [clock] in clock.date }, makeID: { JobID(UUID()) }))
  }

  private func post(_ name: String, _ fields: [String: String] = [:]) async throws {
    let portal = try #require(URL(string: "https://portal.example"))
    await outbox.post(
      OutboxMessage(
        id: try #require(OutboxMessage.ID(name)), purpose: "Cancel \(name).", portal: portal,
        address: portal, fields: fields, created: clock.date))
  }

  @Test func `A message that a server refuses for a month is dropped, and nothing else`()
    async throws
  {
    try await post("refused")
    try await post("busy")
    let worker = worker()
    for day in stride(from: 0, through: 30, by: 2) {
      let givenUp = await outbox.outgoingMessages().map(\.givenUp)
      #expect(givenUp == [nil, nil], "after \(day) days")
      await delivery.answer(
        with: .failed(JobFailure(message: "Not permitted.", kind: .signIn)))
      await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
      await worker.deliverDue()
      clock.advance(by: .seconds(2 * 86_400))
    }
    #expect(await outbox.outgoingMessages().map(\.givenUp) == ["Not permitted.", nil])
  }

  @Test func `A server that never answers is asked for a quarter of a year, ever more rarely`()
    async throws
  {
    try await post("a")
    let worker = worker()
    var silence = JobFailure(message: "There is no server a.example.", kind: .transient)
    silence.isUnanswered = true
    for count in stride(from: 1, through: 10, by: 1) {
      await delivery.answer(with: .failed(silence))
      await worker.deliverDue()
      #expect(await outbox.outgoingMessages().first?.silence?.count == count)
      clock.advance(by: .seconds(9 * 86_400))
    }
    #expect(await outbox.outgoingMessages().map(\.givenUp) == [nil])
    await delivery.answer(with: .failed(silence))
    await worker.deliverDue()
    let listed = await outbox.outgoingMessages()
    #expect(listed.map(\.givenUp) == ["There is no server a.example."])
    // Time does not bring it back; it may be on another network.
    clock.advance(by: .seconds(86_400))
    await worker.deliverDue()
    #expect(await delivery.heard.count == 11)
    await worker.conditionsHaveChanged(.network)
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `A server that answers in between is not counted as silent`() async throws {
    try await post("a")
    var silence = JobFailure(message: "No answer.", kind: .transient)
    silence.isUnanswered = true
    let worker = worker()
    await delivery.answer(with: .failed(silence))
    await worker.deliverDue()
    clock.advance(by: .seconds(86_400))
    await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().map(\.silence) == [nil])
  }

  @Test(arguments: [true, false])
  func `A message that is refused after weeks without an answer is not dropped at once`(
    _ isSilent: Bool
  ) async throws {
    try await post("a")
    let worker = worker()
    var failure = JobFailure(message: "No answer.", kind: .transient)
    failure.isUnanswered = isSilent
    for _ in 1...20 {
      await delivery.answer(with: .failed(failure))
      await worker.deliverDue()
      clock.advance(by: .seconds(2 * 86_400))
    }
    let refusal = JobFailure(message: "Not permitted.", kind: .refused)
    for day in 0..<30 {
      await delivery.answer(with: .failed(refusal))
      await worker.deliverDue()
      #expect(await outbox.outgoingMessages().map(\.givenUp) == [nil], "after \(day) days")
      clock.advance(by: .seconds(86_400))
    }
    await delivery.answer(with: .failed(refusal))
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().map(\.givenUp) == ["Not permitted."])
  }

  @Test func `A message of a removed account is dropped after a quarter of a year`()
    async throws
  {
    try await post("a")
    let worker = worker()
    for day in stride(from: 0, through: 91, by: 7) {
      #expect(await outbox.outgoingMessages().map(\.givenUp) == [nil], "after \(day) days")
      await delivery.answer(with: .waiting(.signIn(host: "portal.example")))
      await worker.deliverDue()
      clock.advance(by: .seconds(7 * 86_400))
    }
    let listed = await outbox.outgoingMessages()
    #expect(listed.map(\.givenUp) == ["Nobody has signed in to portal.example."])
    #expect(await delivery.heard.count == 14)
    // Neither the time nor a network brings it back.
    clock.advance(by: .seconds(100 * 86_400))
    await worker.conditionsHaveChanged(.network)
    await worker.deliverDue()
    await worker.deliver(within: .seconds(5))
    #expect(await delivery.heard.count == 14)
    #expect(await outbox.outgoingMessages() == listed)
  }

  /// A message that was given up since nobody signed in.
  private func giveUp(_ worker: OutboxWorker) async throws {
    try await post("a")
    for _ in stride(from: 0, through: 91, by: 7) {
      await delivery.answer(with: .waiting(.signIn(host: "portal.example")))
      await worker.deliverDue()
      clock.advance(by: .seconds(7 * 86_400))
    }
    try #require(await outbox.outgoingMessages().first?.givenUp != nil)
  }

  @Test(arguments: [true, false])
  func `A dropped message is sent after a sign-in, and stays dropped if refused then`(
    _ isRefused: Bool
  ) async throws {
    let worker = worker()
    try await giveUp(worker)
    if isRefused { await delivery.answer(with: .waiting(.signIn(host: "portal.example"))) }
    await worker.conditionsHaveChanged(.signIn)
    await worker.deliverDue()
    #expect(await delivery.heard.count == 15)
    let left = await outbox.outgoingMessages()
    #expect(left.map(\.givenUp) == (isRefused ? ["Nobody has signed in to portal.example."] : []))
    await worker.deliverDue()
    #expect(await delivery.heard.count == 15)
  }

  @Test func `A dropped message is retried as others are once a server is busy with it`()
    async throws
  {
    let worker = worker()
    try await giveUp(worker)
    await delivery.answer(with: .failed(JobFailure(message: "Busy.", kind: .transient)))
    await worker.conditionsHaveChanged(.signIn)
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().map(\.givenUp) == [nil])
    clock.advance(by: .seconds(86_400))
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `A dropped message is sent again once more is known about it`() async throws {
    let worker = worker()
    try await giveUp(worker)
    try await post("a")
    await worker.deliverDue()
    #expect(await delivery.heard.count == 14, "nothing more is known")
    try await post("a", ["told": "2"])
    await worker.deliverDue()
    #expect(await delivery.heard.count == 15)
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `A message that was never dropped is sent even after more than a year`() async throws {
    try await post("a")
    clock.advance(by: .seconds(400 * 86_400))
    await worker().deliverDue()
    #expect(await delivery.heard == ["a"])
  }

  @Test func `A dropped message is forgotten a year after it was written`() async throws {
    let worker = worker()
    try await giveUp(worker)
    clock.advance(by: .seconds((364 - 98) * 86_400))
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().count == 1)
    clock.advance(by: .seconds(86_400))
    await worker.deliverDue()
    #expect(await outbox.outgoingMessages().isEmpty)
    #expect(await delivery.heard.count == 14)
  }

  @Test func `Without a sign-in a server is asked at growing intervals, until a user signs in`()
    async throws
  {
    try await post("a")
    let worker = worker()
    for pause in [30, 60, 120] {
      await delivery.answer(with: .waiting(.signIn(host: "portal.example")))
      await worker.deliverDue()
      let message = try #require(await outbox.outgoingMessages().first)
      #expect(message.notBefore == clock.date.addingTimeInterval(Double(pause)))
      clock.advance(by: .seconds(pause))
    }
    await delivery.answer(with: .waiting(.signIn(host: "portal.example")))
    await worker.deliverDue()
    await worker.conditionsHaveChanged(.signIn)
    await worker.deliverDue()
    #expect(await delivery.heard.count == 5)
    #expect(await outbox.outgoingMessages().isEmpty)
  }

  @Test func `An older message that does not name its user is read`() throws {
    let text = """
      {"id": "a", "purpose": "Say it.", "portal": "https://a.example", "address": "https://a.example",
      "fields": {}, "created": 0, "attempts": 3}
      """
    let message = try JSONDecoder().decode(OutboxMessage.self, from: Data(text.utf8))
    #expect(message.attempts == 3 && message.signInWaits == nil)
  }

  @Test func `A clock that jumps by a month does not abandon a message refused only once`()
    async throws
  {
    try await post("a")
    let refusal = JobFailure(message: "Not permitted.", kind: .signIn)
    await delivery.answer(with: .failed(refusal))
    await worker().deliverDue()
    clock.advance(by: .seconds(60 * 86_400))
    await delivery.answer(with: .failed(refusal))
    await worker().deliverDue()
    #expect(await outbox.outgoingMessages().map(\.attempts) == [2])
  }
}
