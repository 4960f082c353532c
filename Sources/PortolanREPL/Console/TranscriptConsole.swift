public import Foundation
internal import Synchronization

/// A console that remembers everything in the order written, for tests.
///
/// Notes are marked with `! ` and progress lines with `~ `, so that a transcript tells them from
/// results.
public final class TranscriptConsole: Console {
  public let isTerminal: Bool
  public let width: Int?
  public let usesColor: Bool
  private let text = Mutex("")

  /// Creates a console that looks like a terminal of that width, or like a file if `nil`.
  public init(width: Int? = nil, usesColor: Bool = false) {
    isTerminal = width != nil
    self.width = width
    self.usesColor = usesColor
  }

  /// All that was written so far.
  public var transcript: String { text.withLock { $0 } }

  /// Writes down what a person typed.
  public func echo(_ line: String) { append("> " + line + "\n") }

  public func write(_ data: Data) { append(String(decoding: data, as: UTF8.self)) }

  public func note(_ line: String) { append("! " + line + "\n") }

  public func showProgress(_ line: String?) {
    if let line { append("~ " + line + "\n") }
  }

  private func append(_ addition: String) { text.withLock { $0 += addition } }
}
