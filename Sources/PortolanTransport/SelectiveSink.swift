internal import PortolanLocks

/// Hands a response on to another sink, or lets it pass by unread.
///
/// Decorators use it to look at the head of a response that they may want to act on themselves.
final class SelectiveSink: HTTPBodySink {
  private enum Phase {
    case waiting
    case handingOn
    case passingBy(count: Int)
    /// The base refused what it was given: its own failure, not the transfer's.
    case refused
  }

  /// The most bytes of a response that is not used; a redirect has a sentence or two.
  private static let limit = 1 << 20

  private let base: any HTTPBodySink
  private let isWanted: @Sendable (HTTPResponseHead) -> Bool
  private let phase = Locked(Phase.waiting)

  /// Creates a sink that hands to `base` the responses that `isWanted`.
  init(_ base: any HTTPBodySink, isWanted: @escaping @Sendable (HTTPResponseHead) -> Bool) {
    self.base = base
    self.isWanted = isWanted
  }

  var mayBlock: Bool { base.mayBlock }
  var pieceSize: Int { base.pieceSize }

  /// Whether the response went by unread.
  var hasPassedBy: Bool {
    if case .passingBy = phase.withLock({ $0 }) { true } else { false }
  }

  /// Whether the same request may go out again after its transfer has failed.
  ///
  /// What the base has seen of the response must be forgotten first, and a failure of its own would
  /// only come again.
  func canStartAgain() -> Bool {
    switch phase.withLock({ $0 }) {
    case .waiting, .passingBy: true
    case .handingOn: base.restart()
    case .refused: false
    }
  }

  func begin(_ head: HTTPResponseHead) throws(TransportError) {
    guard isWanted(head) else { return phase.withLock { $0 = .passingBy(count: 0) } }
    phase.withLock { $0 = .handingOn }
    do {
      try base.begin(head)
    } catch {
      phase.withLock { $0 = .refused }
      throw error
    }
  }

  func receive(_ bytes: RawSpan) throws(TransportError) {
    let byteCount = bytes.byteCount
    let passed: Int? = phase.withLock { phase in
      guard case .passingBy(let count) = phase else { return nil }
      phase = .passingBy(count: count + byteCount)
      return count + byteCount
    }
    if let passed {
      guard passed <= Self.limit else {
        throw .tooLarge("An answer that leads elsewhere", limit: Self.limit)
      }
      return
    }
    do {
      try base.receive(bytes)
    } catch {
      phase.withLock { $0 = .refused }
      throw error
    }
  }

  func restart() -> Bool {
    guard canStartAgain() else { return false }
    phase.withLock { $0 = .waiting }
    return true
  }
}
