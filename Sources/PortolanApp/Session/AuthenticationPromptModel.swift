public import Foundation
public import Observation
public import PortolanPortal

/// The questions to sign in that requests wait for, for a screen to ask.
@MainActor
@Observable
public final class AuthenticationPromptModel: AuthenticationPrompting {
  /// A question.
  public struct Question: Hashable, Sendable, Codable, Identifiable {
    /// Tells it from others.
    public let id: Int
    /// The portal to sign in to.
    public let portal: URL
    /// The host of the request that waits.
    public let host: String
    /// The user who was signed in there.
    public let username: String?
    /// The reason for the prompt.
    public let reason: AuthenticationPrompt.Reason
  }

  /// The questions that are open, the oldest first; observe this.
  public private(set) var state: [Question] = []

  /// Whether a screen shows the questions; without one they are answered with no at once.
  public var isAttended = false

  @ObservationIgnored private var answers: [Int: AsyncStream<AuthenticationAnswer>.Continuation] =
    [:]
  @ObservationIgnored private var lastID = 0

  /// Creates a model without questions.
  public init() {}

  nonisolated public func answer(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer {
    await ask(prompt)
  }

  /// Answers a question: after the user has signed in through ``SessionModel``, or not.
  public func finish(_ id: Question.ID, _ answer: AuthenticationAnswer) {
    answers[id]?.yield(answer)
    answers[id]?.finish()
  }

  private func ask(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer {
    guard isAttended else { return .cancelled }
    lastID += 1
    let id = lastID
    let (stream, continuation) = AsyncStream.makeStream(of: AuthenticationAnswer.self)
    answers[id] = continuation
    state.append(
      Question(
        id: id, portal: prompt.portal.root, host: prompt.host, username: prompt.username,
        reason: prompt.reason))
    defer {
      answers[id] = nil
      state.removeAll { $0.id == id }
    }
    // The stream ends without an answer when no request waits any more.
    for await answer in stream { return answer }
    return .cancelled
  }
}
