public import Foundation

/// The destination of a session's output.
public protocol Console: Sendable {
  /// Whether a person looks at the results as they come.
  var isTerminal: Bool { get }

  /// The number of columns, or `nil` where lines may be of any length.
  var width: Int? { get }

  /// Whether colour is understood and wanted.
  var usesColor: Bool { get }

  /// Writes bytes of a result to standard output, as they are.
  ///
  /// - Throws: if they could not all be written.
  func write(_ data: Data) throws(Failure)

  /// Writes one line for the user at the terminal to standard error.
  func note(_ line: String)

  /// The destination of notes while a line is typed at this console; `nil` without a prompt.
  var promptNotes: PromptNotes? { get }

  /// Replaces the transient progress line; `nil` removes it.
  ///
  /// Does nothing where standard error is no terminal.
  func showProgress(_ line: String?)

  /// Asks the user at the terminal a question that yes or no answers.
  ///
  /// `nil` without a terminal to answer at. Cancelling the task counts as no.
  func confirm(_ question: String) async -> Bool?

  /// Whether there is a terminal to answer at.
  var canAsk: Bool { get }

  /// Asks the user at the terminal for a line.
  ///
  /// - Parameters:
  ///   - question: What is shown before it.
  ///   - hidingAnswer: Whether what they type stays unseen.
  /// - Returns: The line; `nil` without a terminal, or the task was cancelled.
  func ask(_ question: String, hidingAnswer: Bool) async -> String?
}

extension Console {
  public var promptNotes: PromptNotes? { nil }

  public var canAsk: Bool { false }

  public func confirm(_ question: String) async -> Bool? { nil }

  public func ask(_ question: String, hidingAnswer: Bool) async -> String? { nil }

  /// Writes one line of a result to standard output.
  public func write(_ line: String) throws(Failure) { try write(Data((line + "\n").utf8)) }
}
