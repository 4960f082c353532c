public import PortolanJSON

/// The result of a command: the same facts as text for people and as one JSON document.
public struct CommandResult: Sendable {
  /// The output.
  public enum Body: Sendable {
    /// Nothing.
    case nothing
    /// Facts in both forms.
    case document(text: TextDocument, json: JSONValue)
    /// A document that was written while it was made; see ``DocumentSink``.
    case streamed(DocumentSink)
  }

  /// The output.
  public var body: Body
  /// The exit code of the command; anything but `done` stops a script.
  public var status: ExitCode
  /// Whether the session ends with this command.
  public var endsSession = false

  /// Creates a result.
  public init(_ body: Body = .nothing, status: ExitCode = .done) {
    self.body = body
    self.status = status
  }

  /// The result of a server that ran until Ctrl-C, which ends it as its first line says: nothing
  /// has gone wrong, and nothing more is written.
  static let servedUntilInterrupted = CommandResult(status: .interrupted)

  /// Creates a result from facts in both forms.
  public init(text: TextDocument, json: JSONValue, status: ExitCode = .done) {
    self.init(.document(text: text, json: json), status: status)
  }
}
