/// The outcome of one line.
public struct Outcome: Hashable, Sendable {
  /// The exit code of the command.
  public var status: ExitCode

  /// Whether the session is over.
  public var endsSession: Bool

  /// Creates an outcome.
  public init(status: ExitCode = .done, endsSession: Bool = false) {
    self.status = status
    self.endsSession = endsSession
  }
}
