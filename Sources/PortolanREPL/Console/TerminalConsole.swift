public import Foundation
internal import Synchronization

/// Standard output and standard error.
public final class TerminalConsole: Console {
  public let isTerminal: Bool
  public let usesColor: Bool
  public let promptNotes: PromptNotes?
  private let showsProgress: Bool
  private let onClosedOutput: @Sendable () -> Void

  /// Whether a transient line is on the terminal; the lock also keeps lines whole.
  private let hasProgressLine = Mutex(false)

  /// Creates the console of the process.
  ///
  /// `onClosedOutput` is called when the reader of standard output has gone (`| head`); the
  /// process must ignore `SIGPIPE` for it. Any other reason why output cannot be written is thrown
  /// by ``write(_:)``. Colour is used where standard output is a terminal,
  /// unless `environment` holds `NO_COLOR` (<https://no-color.org>) or calls the terminal dumb.
  public init(
    environment: [String: String], onClosedOutput: @escaping @Sendable () -> Void
  ) {
    isTerminal = isatty(STDOUT_FILENO) == 1
    showsProgress = isatty(STDERR_FILENO) == 1
    promptNotes = showsProgress ? PromptNotes() : nil
    let refusesColor = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    usesColor = isTerminal && !refusesColor
    self.onClosedOutput = onClosedOutput
  }

  public var width: Int? {
    guard isTerminal else { return nil }
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  public func write(_ data: Data) throws(Failure) {
    let error = hasProgressLine.withLock { hasProgressLine in
      Self.clear(&hasProgressLine)
      return Self.write(data, to: STDOUT_FILENO)
    }
    guard let error else { return }
    if error == EPIPE { onClosedOutput() }
    throw .outputFailed(reason: unsafe String(cString: strerror(error)))
  }

  public func note(_ line: String) {
    if promptNotes?.leave(line) == true { return }
    hasProgressLine.withLock { hasProgressLine in
      Self.clear(&hasProgressLine)
      // There is no other place to report that standard error is closed.
      _ = Self.write(Data((line + "\n").utf8), to: STDERR_FILENO)
    }
  }

  /// Writes a question, after which the user types on the same line.
  func write(question: String) {
    hasProgressLine.withLock { hasProgressLine in
      Self.clear(&hasProgressLine)
      _ = Self.write(Data(question.utf8), to: STDERR_FILENO)
    }
  }

  public func showProgress(_ line: String?) {
    guard showsProgress else { return }
    hasProgressLine.withLock { hasProgressLine in
      Self.clear(&hasProgressLine)
      guard let line else { return }
      hasProgressLine = Self.write(Data(line.utf8), to: STDERR_FILENO) == nil
    }
  }

  @concurrent public func confirm(_ question: String) async -> Bool? {
    guard canAsk else { return nil }
    note(question + " [y/N]")
    var answer: [UInt8] = []
    while answer.last != UInt8(ascii: "\n") {
      guard !Task.isCancelled, let piece = Self.readPiece() else { return false }
      answer += piece
    }
    let word = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    return ["y", "yes"].contains(word.trimmingCharacters(in: .newlines).lowercased())
  }

  private static func clear(_ hasProgressLine: inout Bool) {
    guard hasProgressLine else { return }
    hasProgressLine = false
    _ = write(Data("\r\u{1B}[K".utf8), to: STDERR_FILENO)
  }

  /// Writes all of `data`; the number of the error if that failed, `nil` if it is written.
  private static func write(_ data: Data, to descriptor: Int32) -> Int32? {
    unsafe data.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN {
          waitUntilWritable(descriptor)
          continue
        }
        guard count > 0 else { return count < 0 ? errno : EIO }
        unsafe rest = rest.dropFirst(count)
      }
      return nil
    }
  }

  private static func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}
