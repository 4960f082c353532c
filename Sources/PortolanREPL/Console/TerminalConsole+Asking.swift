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

  /// The typed bytes, empty after a moment without any; `nil` at the end of input.
  static func readPiece() -> [UInt8]? {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, 100) > 0 else { return [] }
    return typed(at: STDIN_FILENO)
  }

  /// The bytes available at a terminal, without waiting for more: Ctrl-C removes what was typed
  /// before it is read, and has to end the question.
  ///
  /// The terminal is opened once more for it, since other programs that share the descriptor wait.
  static func typed(at descriptor: Int32) -> [UInt8]? {
    var name = [CChar](repeating: 0, count: 256)
    var own: Int32 = -1
    if unsafe ttyname_r(descriptor, &name, name.count) == 0 {
      own = unsafe open(name, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    }
    defer { if own >= 0 { close(own) } }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(own >= 0 ? own : descriptor, &bytes, bytes.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    return count > 0 ? Array(bytes[..<count]) : nil
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
