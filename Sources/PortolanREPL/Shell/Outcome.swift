/// The outcome of one line.
public struct Outcome: Hashable, Sendable {
  /// How the command ended.
  public var status: ExitCode

  /// Whether the session is over.
  public var endsSession: Bool

  /// Creates an outcome.
  public init(status: ExitCode = .done, endsSession: Bool = false) {
    self.status = status
    self.endsSession = endsSession
  }
}
