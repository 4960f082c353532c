internal import Foundation

/// Delivers what is in an outbox, one message after another, beside the jobs of a queue.
///
/// What fails is tried again, later each time, until the server has heard it or says that what it
/// is about is gone; what it refuses for a month is dropped, and what has waited for a sign-in, or
/// for an answer, for a quarter of a year. Such a message stays on the list for a year, and is sent
/// when the user signs in; one that nobody has answered also when a network returns. Of several
/// processes, one at a time works on an outbox.
public actor OutboxWorker {
  /// The claim that the process delivering the outbox holds.
  static let claimID = JobID("outbox")

  private let outbox: any Outbox
  private let delivery: any OutboxDelivery
  private let claims: (any JobClaims)?
  private let environment: JobEnvironment
  private let policy: JobRetryPolicy
  private var signal: AsyncStream<Void>.Continuation?
  /// The changes that no round of deliveries has taken into account yet.
  private var conditions: Set<JobCondition> = []

  /// Creates a worker; nothing is sent until ``run()``.
  ///
  /// - Parameters:
  ///   - outbox: The messages.
  ///   - delivery: What sends them.
  ///   - claims: Who works on what, if other processes share the outbox; `nil` if none does.
  ///   - policy: When those that failed are tried again; its limit does not count.
  ///   - environment: Time.
  public init(
    outbox: any Outbox, delivery: any OutboxDelivery, claims: (any JobClaims)? = nil,
    policy: JobRetryPolicy = .outbox, environment: JobEnvironment
  ) {
    self.outbox = outbox
    self.delivery = delivery
    self.claims = claims
    self.environment = environment
    self.policy = policy
  }

  /// Delivers messages until the task is cancelled.
  public func run() async {
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signal = signal
    defer { self.signal = nil }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.tick() }
      signal.yield()
      for await _ in signals { await deliverDue() }
      group.cancelAll()
    }
  }

  /// Lets messages that wait be tried again, for a network or a sign-in may be there; with a sign-in also
  /// those that were dropped.
  public func conditionsHaveChanged(_ condition: JobCondition) {
    conditions.insert(condition)
    signal?.yield()
  }

  /// Looks for messages that were posted.
  public func wake() { signal?.yield() }

  /// Delivers what there is, before a process ends.
  ///
  /// What waits for a network or a sign-in is tried again, and what takes longer than a while is put off.
  /// If ``run()`` is running, this only wakes it.
  ///
  /// - Parameter limit: The while.
  public func deliver(within limit: Duration) async {
    guard signal == nil else {
      wake()
      return
    }
    let clock = environment.clock
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.deliverDue(.leaving) }
      // A clock fails only when the task is cancelled.
      group.addTask { try? await clock.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  /// How messages are delivered.
  private enum Manner {
    /// Those that are due.
    case working
    /// Those that wait for a network or a sign-in as well; what does not come to an end is put off.
    case leaving
  }

  private func tick() async {
    let interval = policy.first
    // A clock fails only when the task is cancelled.
    while (try? await environment.clock.sleep(for: interval)) != nil { signal?.yield() }
  }

  /// Delivers the messages that are due, unless another process does.
  func deliverDue() async { await deliverDue(.working) }

  private func deliverDue(_ manner: Manner) async {
    var taken: Set<JobCondition> = []
    do throws(JobError) {
      // If the outbox cannot be worked on now, no request is forgotten.
      guard let claim = try claim() else { return }
      defer { withExtendedLifetime(claim) {} }
      let messages = try await outbox.outgoingMessages()
      taken = conditions
      conditions = []
      for message in messages {
        guard !Task.isCancelled else { break }
        guard !message.isForgotten(at: environment.now()) else {
          try await outbox.remove(message.id)
          continue
        }
        guard isWanted(message, manner, taken) else { continue }
        try await deliver(message, manner)
      }
      // The next round tries what is left, and what was being sent.
      if Task.isCancelled { conditions.formUnion(taken) }
    } catch {
      // Messages that cannot be read or written now stay in the outbox, and are tried again with
      // the next tick.
      conditions.formUnion(taken)
    }
  }

  /// Whether a message is to be sent now, after what has changed.
  private func isWanted(
    _ message: OutboxMessage, _ manner: Manner, _ conditions: Set<JobCondition>
  ) -> Bool {
    guard message.givenUp == nil else {
      // Its server may be on another network.
      return conditions.contains(.signIn)
        || message.silence != nil && conditions.contains(.network)
    }
    return !conditions.isEmpty || (manner == .leaving && message.attempts == 0)
      || message.isDue(at: environment.now())
  }

  private func claim() throws(JobError) -> JobClaim? {
    guard let claims, let id = Self.claimID else { return JobClaim {} }
    return try claims.claim(id)
  }

  private func deliver(_ message: OutboxMessage, _ manner: Manner) async throws(JobError) {
    do throws(JobInterruption) {
      try await delivery.deliver(message)
    } catch {
      var error = error
      if error == .stopped {
        guard manner == .leaving else { return }
        error = .failed(JobFailure(message: "The server does not answer.", kind: .transient))
      }
      let now = environment.now()
      let late =
        message.isInVain(after: error, at: now)
        ? message.givingUp(after: error) : message.afterFailing(error, at: now, policy)
      let outbox = outbox
      // A task of its own, so that the message is updated also when this one was cancelled.
      let update = Task { () -> Result<Void, JobError> in
        do throws(JobError) { return .success(try await outbox.update(late)) } catch {
          return .failure(error)
        }
      }
      return try await update.value.get()
    }
    try await outbox.remove(delivered: message)
  }
}

extension JobRetryPolicy {
  /// After half a minute, then later each time, at last every six hours.
  public static let outbox = JobRetryPolicy(
    limit: .max, first: .seconds(30), longest: .seconds(21_600), recheck: .seconds(300))
}
