internal import Foundation
public import Observation
public import PortolanJobs
internal import PortolanTransport

/// The hosts that requests are waiting for, so that users see why nothing moves: a host that asks
/// clients to back off, or did not answer.
///
/// Jobs tell theirs themselves (`Job.hostWait`). Pauses that are over before anyone wonders, such
/// as that before a host that did not answer is asked again, are not shown, until they add up.
@MainActor
@Observable
public final class HostWaitModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The host that is waited for; of several the one that is waited for longest.
    public internal(set) var wait: JobHostWait?
  }

  /// The current state; observe this.
  public private(set) var state = State()

  /// Shorter pauses, in seconds, are not shown by themselves.
  public static let shortest = 3.0

  @ObservationIgnored private var waits: [Int: JobHostWait] = [:]
  @ObservationIgnored private var lastNumber = 0

  /// Creates the screen; nothing is waited for yet.
  public init() {}

  /// Does what a person has requested, and shows meanwhile which host its requests wait for.
  ///
  /// - Parameter work: The work.
  /// - Returns: What it returns.
  public func reporting<Value: Sendable>(_ work: () async -> Value) async -> Value {
    lastNumber += 1
    let number = lastNumber
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observer = HostWaitObserver { change.yield() }
    async let told: Void = follow(changes, of: observer, as: number)
    let value = await observer.observe(work)
    change.finish()
    await told
    return value
  }

  private func follow(
    _ changes: AsyncStream<Void>, of observer: HostWaitObserver, as number: Int
  ) async {
    for await _ in changes {
      show(
        observer.wait.flatMap { wait in
          Self.isShown(wait)
            ? JobHostWait(host: wait.host, since: wait.since, until: wait.until) : nil
        }, as: number)
    }
    show(nil, as: number)
  }

  /// Whether a wait, with those right before it, is long enough to be shown.
  static func isShown(_ wait: HostWait) -> Bool {
    wait.until.timeIntervalSince(wait.begun) >= shortest
  }

  private func show(_ wait: JobHostWait?, as number: Int) {
    waits[number] = wait
    let last = waits.values.max { $0.until < $1.until }
    if state.wait != last { state.wait = last }
  }
}
