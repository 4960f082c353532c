public import Foundation

/// Where output goes.
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

  /// Writes one line for the person at the terminal to standard error.
  func note(_ line: String)

  /// Where notes go while somebody types at a prompt of this console; `nil` if nobody can.
  var promptNotes: PromptNotes? { get }

  /// Replaces the passing line that tells how far things are; `nil` removes it.
  ///
  /// Does nothing where standard error is no terminal.
  func showProgress(_ line: String?)

  /// Asks the person at the terminal a question that yes or no answers.
  ///
  /// `nil` if nobody is there who could answer. Cancelling the task counts as no.
  func confirm(_ question: String) async -> Bool?

  /// Whether somebody is there who could answer.
  var canAsk: Bool { get }

  /// Asks the person at the terminal for a line.
  ///
  /// - Parameters:
  ///   - question: What is shown before it.
  ///   - hidingAnswer: Whether what they type stays unseen.
  /// - Returns: The line; `nil` if nobody is there, or the task was cancelled.
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
