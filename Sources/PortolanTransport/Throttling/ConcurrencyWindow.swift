/// The number of requests that a host may have at a time, as far as is known.
///
/// It grows while all of it is in use and the host keeps up: by one for each response at first,
/// then by one for each round of responses. It is halved when the host pushes back (429, 503, no
/// response in time), once for each round.
struct ConcurrencyWindow: Hashable, Sendable {
  /// The result of a request.
  enum Outcome: Sendable {
    case answered
    /// The host, or the way to it, has too much to do.
    case pushedBack
    /// Something that says nothing about the host.
    case cancelled
  }

  /// Proof of having been let in.
  struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  private let maximum: Double
  private var size: Double
  /// Up to here it grows fast.
  private var threshold: Double
  private var inUse = 0
  private var nextNumber = 0
  /// Requests let in before the last cut say nothing new by failing.
  private var firstSinceCut = 0

  /// Creates a window of `initial` requests that grows up to `maximum`.
  init(initial: Int, maximum: Int) {
    self.maximum = Double(max(maximum, 1))
    size = min(Double(max(initial, 1)), self.maximum)
    threshold = self.maximum
  }

  /// How many requests may be under way.
  var limit: Int { Int(size) }

  /// Whether nothing is under way.
  var isIdle: Bool { inUse == 0 }

  /// Lets a request in, unless as many as may be are under way.
  mutating func enter() -> Ticket? {
    guard inUse < limit else { return nil }
    defer { nextNumber += 1 }
    inUse += 1
    return Ticket(number: nextNumber)
  }

  /// Takes note of a request's end.
  mutating func leave(_ ticket: Ticket, _ outcome: Outcome) {
    let wasFull = inUse >= limit
    inUse -= 1
    switch outcome {
    case .answered where wasFull:
      size = min(size + (size < threshold ? 1 : 1 / size), maximum)
    case .pushedBack where ticket.number >= firstSinceCut:
      size = max(size / 2, 1)
      threshold = size
      firstSinceCut = nextNumber
    case .answered, .pushedBack, .cancelled: break
    }
  }
}
