internal import PortolanTransport

/// Enforces the timeouts of a transfer.
///
/// The rate of a body is measured over windows of ``HTTPTimeouts/stall``: a window ends when enough
/// bytes have arrived for it, so that one that passes its end has had too few.
struct TransferWatch {
  private enum Phase {
    case connecting
    /// The request is being sent, or has been sent.
    case asking
    case answering
    /// The body waits for the sink, which is no fault of the network.
    case paused
  }

  private let timeouts: HTTPTimeouts
  private let start: ContinuousClock.Instant
  private var phase = Phase.connecting
  /// When something last happened; while the body arrives, when the window began.
  private var mark: ContinuousClock.Instant
  /// How many bytes have arrived in the window.
  private var byteCount = 0

  init(_ timeouts: HTTPTimeouts, now: ContinuousClock.Instant) {
    self.timeouts = timeouts
    start = now
    mark = now
  }

  /// The connection is established.
  mutating func connected(at now: ContinuousClock.Instant) {
    phase = .asking
    mark = now
  }

  /// A part of the request was sent, or a line of the head has arrived.
  mutating func signOfLife(at now: ContinuousClock.Instant) { mark = now }

  /// The body begins, or continues after a pause.
  mutating func answering(at now: ContinuousClock.Instant) {
    phase = .answering
    mark = now
    byteCount = 0
  }

  /// The body waits for the sink.
  mutating func paused() { phase = .paused }

  /// So many bytes of the body have arrived.
  mutating func received(_ count: Int, at now: ContinuousClock.Instant) {
    byteCount += count
    let needed = Double(timeouts.slowest) * (timeouts.stall / .seconds(1))
    guard Double(byteCount) >= needed else { return }
    answering(at: now)
  }

  /// When the transfer has failed unless more happens; `nil` if nothing limits it now.
  ///
  /// Connecting has its limit in libcurl.
  var deadline: ContinuousClock.Instant? {
    let limit: ContinuousClock.Instant? =
      switch phase {
      case .connecting, .paused: nil
      case .asking: mark + timeouts.firstByte
      case .answering: mark + timeouts.stall
      }
    guard let total = timeouts.total else { return limit }
    return min(start + total, limit ?? start + total)
  }

  /// What the transfer waited for, once its deadline has passed at `now`.
  func missed(at now: ContinuousClock.Instant) -> TransportError.Phase {
    if let total = timeouts.total, start + total <= now { return .total }
    switch phase {
    case .connecting: return .connect
    case .asking: return .firstByte
    case .answering, .paused: return byteCount > 0 ? .pace : .stall
    }
  }
}
