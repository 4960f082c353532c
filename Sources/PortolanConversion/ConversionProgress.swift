internal import Synchronization

/// The progress of a conversion.
public struct ConversionProgress: Hashable, Sendable, Codable {
  /// What is being counted.
  public enum Unit: String, Hashable, Sendable, Codable {
    case rows
    case tiles
    case files
  }

  /// The table, file or set of tiles that is being converted.
  public var part: String
  /// What is being counted.
  public var unit: Unit
  /// How many of the part are done.
  public var completed: Int
  /// How many there are, if that is known.
  public var total: Int?

  /// Creates a report.
  public init(part: String, unit: Unit, completed: Int, total: Int?) {
    self.part = part
    self.unit = unit
    self.completed = completed
    self.total = total
  }

  /// How much of the part is done, from 0 to 1, if the whole is known.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }
}

/// Passes reports on, at most some twenty a second.
final class ProgressThrottle: Sendable {
  private struct State {
    var moment: ContinuousClock.Instant?
    var part: String?
  }

  private let receive: @Sendable (ConversionProgress) -> Void
  private let clock = ContinuousClock()
  private let last = Mutex(State())

  init(_ receive: @escaping @Sendable (ConversionProgress) -> Void) { self.receive = receive }

  /// The first report of a part is always passed on.
  func report(_ progress: ConversionProgress) {
    let now = clock.now
    let isDue = last.withLock { last in
      if let moment = last.moment, last.part == progress.part,
        now - moment < .milliseconds(50)
      {
        return false
      }
      last = State(moment: now, part: progress.part)
      return true
    }
    if isDue { receive(progress) }
  }
}
