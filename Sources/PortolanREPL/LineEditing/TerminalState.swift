internal import Foundation

/// The settings of the terminal as they were when the process began.
public struct TerminalState: Sendable {
  private let settings: termios?

  /// Remembers the settings, if standard input is a terminal.
  public init() {
    var settings = termios()
    self.settings = unsafe tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
  }

  /// Puts them back, for a process that must end while a line is being edited.
  public func restore() {
    guard var settings else { return }
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}
