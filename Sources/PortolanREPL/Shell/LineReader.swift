/// The source of the lines of a session.
public protocol LineReader: Sendable {
  /// Whether a person types the lines at a prompt.
  var isInteractive: Bool { get }

  /// Waits for the next line; `prompt` is shown to a person.
  func nextLine(prompt: String) async -> LineEvent
}

/// The result of waiting for a line.
public enum LineEvent: Hashable, Sendable {
  case line(String)
  /// Ctrl-C at the prompt: the line is dropped.
  case interrupted
  /// There are no more lines.
  case end
}
