internal import PortolanPortal
internal import PortolanTransport

/// Polls a job of a service until it is over.
///
/// Small jobs take less than a second, and those of a synchronization of few edits a few milliseconds, so
/// the first answers are asked for soon; later ones every two seconds, as Esri's clients do.
struct ServerJobPolling {
  /// How often a service may answer nonsense in a row while its job is waited for.
  private static let mostNonsense = 5
  /// How often a service may fail in a row: what it has made of a long job is worth two or three minutes.
  private static let mostFailures = 30
  /// How often a job is asked after in six hours: jobs are kept for hours.
  private static let sixHours = 6 * 3600 / 2
  /// How often in half an hour: while a map is synchronized it cannot be edited.
  static let halfAnHour = 1800 / 2
  /// How often in a minute.
  static let aMinute = 60 / 2
  private static let firstPauses: [Duration] = [
    .milliseconds(25), .milliseconds(150), .milliseconds(400), .seconds(1),
  ]
  private static let longestPause = Duration.seconds(2)

  let clock: any Clock<Duration>
  /// How often a job is polled before it counts as failed.
  var mostPolls = sixHours

  /// Asks until something is over; answers that cannot be read, and failures that pass, are passed over for
  /// a while.
  ///
  /// - Parameters:
  ///   - ask: Asks once.
  ///   - isOver: Whether what was answered is the end.
  /// - Returns: The last answer; `nil` if the job does not come to an end.
  /// - Throws: What asking throws, and `CancellationError`.
  func lastAnswer<Status>(
    _ ask: () async throws -> Status, isOver: (Status) -> Bool
  ) async throws -> Status? {
    var (nonsense, failures) = (0, 0)
    for poll in 0..<mostPolls {
      do {
        let status = try await ask()
        if isOver(status) { return status }
        (nonsense, failures) = (0, 0)
      } catch let error as PortalError where error.isUnreadable && nonsense < Self.mostNonsense {
        nonsense += 1
      } catch let error as PortalError where error.isFailureOfAMoment {
        failures += 1
        guard failures <= min(Self.mostFailures, mostPolls / 2) else { throw error }
      }
      let pauses = Self.firstPauses
      try await clock.sleep(for: poll < pauses.count ? pauses[poll] : Self.longestPause)
    }
    return nil
  }
}

extension PortalError {
  /// Whether a server fails as it does while it is started again; who waits for a network, or for an answer
  /// that does not come, has waited long enough.
  fileprivate var isFailureOfAMoment: Bool {
    switch self {
    case .transport(.offline), .transport(.unknownHost), .transport(.timedOut): false
    case .transport, .server: isTransient
    default: false
    }
  }
}
