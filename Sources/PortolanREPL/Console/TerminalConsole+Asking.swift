internal import Foundation

extension TerminalConsole {
  public var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  @concurrent public func ask(_ question: String, hidingAnswer: Bool) async -> String? {
    guard canAsk else { return nil }
    // Before the question, since what is typed as soon as it stands there must not be seen either.
    let settings = hidingAnswer ? Self.hideTyping() : nil
    write(question: question)
    defer {
      if var settings {
        unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        note("")
      }
    }
    var answer: [UInt8] = []
    while answer.last != UInt8(ascii: "\n") {
      guard !Task.isCancelled, let piece = Self.readPiece() else { return nil }
      answer += piece
    }
    return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Stops the terminal from showing what is typed; answers how it was set before.
  private static func hideTyping() -> termios? {
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    var hidden = settings
    hidden.c_lflag &= ~tcflag_t(ECHO)
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else { return nil }
    return settings
  }
}
