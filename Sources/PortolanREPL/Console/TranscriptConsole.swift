public import Foundation
internal import Synchronization

/// A console that remembers everything in the order written, for tests.
///
/// Notes are marked with `! `, questions with `? ` and progress lines with `~ `, so that a
/// transcript distinguishes them from results.
public final class TranscriptConsole: Console {
  public let isTerminal: Bool
  public let width: Int?
  public let usesColor: Bool
  private let text = Mutex("")
  private let answers: Mutex<[String]>

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - width: The width of the terminal that it looks like; like a file if `nil`.
  ///   - usesColor: Whether colour is understood.
  ///   - answers: The answers to one question after the other; there are none once
  ///     they are used up.
  public init(width: Int? = nil, usesColor: Bool = false, answers: [String] = []) {
    isTerminal = width != nil
    self.width = width
    self.usesColor = usesColor
    self.answers = Mutex(answers)
  }

  /// All that was written so far.
  public var transcript: String { text.withLock { $0 } }

  /// Writes down what a person typed.
  public func echo(_ line: String) { append("> " + line + "\n") }

  public func write(_ data: Data) { append(String(decoding: data, as: UTF8.self)) }

  /// Writes one line of a result.
  public func write(_ line: String) { append(line + "\n") }

  public func note(_ line: String) { append("! " + line + "\n") }

  public func showProgress(_ line: String?) {
    if let line { append("~ " + line + "\n") }
  }

  public var canAsk: Bool { answers.withLock { !$0.isEmpty } }

  public func confirm(_ question: String) async -> Bool? {
    await ask(question + " [y/N] ", hidingAnswer: false).map { ["y", "yes"].contains($0) }
  }

  public func ask(_ question: String, hidingAnswer: Bool) async -> String? {
    guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
    append("? " + question + (hidingAnswer ? "" : answer) + "\n")
    return answer
  }

  private func append(_ addition: String) { text.withLock { $0 += addition } }
}
