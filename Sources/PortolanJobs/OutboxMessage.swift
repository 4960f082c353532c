public import Foundation

/// A message that must still reach a server, such as that a replica is no longer needed.
///
/// It is delivered at least once, so receiving it must be idempotent. It holds no
/// secret; what it is sent with is found when it is sent.
public struct OutboxMessage: Hashable, Sendable, Codable, Identifiable {
  /// Names a message; the same thing to say has the same name, so that it is kept once.
  public struct ID: FolderName {
    public let text: String

    public init?(_ text: String) {
      guard Self.allows(text) else { return nil }
      self.text = text
    }
  }

  /// Attempts that have ended in the same way.
  public struct Attempts: Hashable, Sendable, Codable {
    /// Since when.
    public let since: Date
    /// How many there were.
    public private(set) var count = 0

    fileprivate init(since: Date) { self.since = since }

    /// These and one more.
    fileprivate var andOneMore: Attempts {
      var attempts = self
      attempts.count += 1
      return attempts
    }

    fileprivate func haveLasted(_ longest: TimeInterval, at now: Date) -> Bool {
      OutboxMessage.hasLasted(longest, since: since, count, at: now)
    }
  }

  /// Its name.
  public let id: ID
  /// The purpose, a sentence for people.
  public let purpose: String
  /// The root of the portal whose credentials it is sent with.
  public let portal: URL
  /// The address to which it is posted.
  public let address: URL
  /// The fields of the form that is posted.
  public private(set) var fields: [String: String]
  /// When it was written.
  public let created: Date
  /// How often it failed to be delivered.
  public private(set) var attempts = 0
  /// How often its delivery failed because nobody was signed in; `nil` for never.
  public private(set) var signInWaits: Int?
  /// The attempts without an answer since the last one with it; `nil` where that was the last, or none was made.
  public private(set) var silence: Attempts?
  /// The attempts that servers have refused, whatever became of others; `nil` where none was, and in records from
  /// before that was noted.
  public private(set) var refusals: Attempts?
  /// When it is tried again; `nil` for as soon as it can be.
  public private(set) var notBefore: Date?
  /// When it was tried last; `nil` for never, and in records from before that was noted.
  public private(set) var tried: Date?
  /// Why it is no longer sent until the user signs in, a sentence; `nil` while it is.
  public private(set) var givenUp: String?

  /// Creates a message.
  public init(
    id: ID, purpose: String, portal: URL, address: URL, fields: [String: String], created: Date
  ) {
    self.id = id
    self.purpose = purpose
    self.portal = portal
    self.address = address
    self.fields = fields
    self.created = created
  }

  /// Whether it may be sent now; a clock that was put back does not hold it up.
  func isDue(at now: Date) -> Bool {
    givenUp == nil && notBefore.map { $0 <= now || now < tried ?? created } ?? true
  }

  /// For how many seconds a server may refuse a message before that is final: services forget
  /// unused replicas by themselves.
  private static let longestRefusal: TimeInterval = 30 * 86_400
  /// For how many seconds a sign-in is waited for: an account may be gone for good.
  private static let longestSignInWait: TimeInterval = 90 * 86_400
  /// For how many seconds a server that does not answer is asked: its address may be gone for good.
  private static let longestSilence: TimeInterval = 90 * 86_400
  /// For how many seconds a message that was dropped is kept: by then services have forgotten
  /// unused replicas by themselves.
  private static let longestListing: TimeInterval = 365 * 86_400
  /// How often it must have refused in that time; a clock that jumps is no refusal.
  private static let leastRefusals = 10

  /// Whether it is no use to send the message once more, after an attempt has ended that way.
  func isInVain(after interruption: JobInterruption, at now: Date) -> Bool {
    switch interruption {
    case .failed(let failure) where failure.isUnanswered == true:
      silence?.haveLasted(Self.longestSilence, at: now) ?? false
    case .failed(let failure) where failure.isRefusal:
      // Attempts that got no answer, or met a busy server, are no refusals.
      refusals?.haveLasted(Self.longestRefusal, at: now) ?? false
    case .waiting(.signIn):
      Self.hasLasted(Self.longestSignInWait, since: created, signInWaits ?? 0, at: now)
    case .failed, .waiting, .stopped: false
    }
  }

  /// Whether so many attempts since `start` are enough, and so long a time.
  private static func hasLasted(
    _ longest: TimeInterval, since start: Date, _ count: Int, at now: Date
  ) -> Bool {
    count >= leastRefusals && now.timeIntervalSince(start) >= longest
  }

  /// Whether the message can be forgotten.
  func isForgotten(at now: Date) -> Bool {
    givenUp != nil && now.timeIntervalSince(created) >= Self.longestListing
  }

  /// The message once it is no use to send it any more.
  func givingUp(after interruption: JobInterruption) -> OutboxMessage {
    var message = self
    message.givenUp =
      switch interruption {
      case .failed(let failure): failure.message
      case .waiting(.signIn(let host)): "Nobody has signed in to \(host)."
      case .waiting, .stopped: "The server does not answer."
      }
    return message
  }

  /// The message with what a later one of its name knows; what became of attempts stays.
  public func adding(_ later: OutboxMessage) -> OutboxMessage {
    var message = self
    message.fields.merge(later.fields) { _, new in new }
    // With more known it is worth another attempt.
    if message.fields != fields { message.givenUp = nil }
    return message
  }

  /// The message with what became of an attempt to deliver it as it was then.
  public func noting(_ attempt: OutboxMessage) -> OutboxMessage {
    var message = attempt
    message.fields = fields
    if fields != attempt.fields { message.givenUp = nil }
    return message
  }

  /// The silence of its server after an attempt to deliver it has ended that way.
  private func silenceLeft(after interruption: JobInterruption, at now: Date) -> Attempts? {
    switch interruption {
    case .failed(let failure) where failure.isUnanswered == true:
      (silence ?? Attempts(since: now)).andOneMore
    case .failed, .waiting(.signIn): nil
    // Nobody was asked, or nothing is known of it.
    case .waiting, .stopped: silence
    }
  }

  /// The message after an attempt to deliver it has ended that way.
  func afterFailing(
    _ interruption: JobInterruption, at now: Date, _ policy: JobRetryPolicy
  ) -> OutboxMessage {
    var message = self
    message.givenUp = nil
    message.silence = silenceLeft(after: interruption, at: now)
    switch interruption {
    // Nothing is known of an attempt that was stopped.
    case .stopped: return message
    case .waiting(.signIn):
      // A sign-in ends the pause.
      let waits = (signInWaits ?? 0) + 1
      message.signInWaits = waits
      message.notBefore = now.addingTimeInterval(
        (policy.pause(after: waits) ?? policy.longest) / .seconds(1))
    case .waiting:
      // No server was reached, so that this is no failure of the message.
      message.notBefore = policy.recheck.map { now.addingTimeInterval($0 / .seconds(1)) }
    case .failed(let failure):
      message.attempts += 1
      if failure.isRefusal { message.refusals = (refusals ?? Attempts(since: now)).andOneMore }
      let pause = policy.pause(after: message.attempts) ?? policy.longest
      message.notBefore = now.addingTimeInterval(
        max(pause / .seconds(1), failure.retryAfter ?? 0))
    }
    message.tried = now
    return message
  }
}

extension JobFailure {
  /// Whether a server has refused what it was asked for, and will not take it later either.
  fileprivate var isRefusal: Bool {
    isUnanswered != true && [.signIn, .refused].contains(kind)
  }
}
