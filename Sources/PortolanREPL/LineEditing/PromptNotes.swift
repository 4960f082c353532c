internal import Foundation
internal import Synchronization

/// Lets lines appear above a prompt while a line is being typed.
///
/// Only the thread of the line editor may write to the terminal while it reads a line. Others leave
/// their lines here, and the editor, which watches ``descriptor`` beside the keys, shows them and
/// then the prompt again with what was typed.
public final class PromptNotes: Sendable {
  private struct State {
    var isOpen = false
    var isSignalled = false
    var lines: [String] = []
  }

  private let state = Mutex(State())
  private let pipe = Pipe()

  /// Creates an empty place.
  public init() {}

  /// A descriptor that is readable while there are lines.
  var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  /// Queues a line for the prompt; `false` if no line is being typed, so that it can be written at
  /// once.
  func leave(_ line: String) -> Bool {
    let (isTaken, isFirst) = state.withLock { state -> (Bool, Bool) in
      guard state.isOpen else { return (false, false) }
      state.lines.append(line)
      defer { state.isSignalled = true }
      return (true, !state.isSignalled)
    }
    if isFirst { pipe.fileHandleForWriting.write(Data([0])) }
    return isTaken
  }

  /// A line begins to be edited.
  func open() { state.withLock { $0.isOpen = true } }

  /// The line is typed; answers what was left meanwhile and is not shown yet.
  func close() -> [String] {
    state.withLock { $0.isOpen = false }
    return take()
  }

  /// Takes the lines that were left.
  func take() -> [String] {
    let (lines, isSignalled) = state.withLock { state in
      defer { (state.lines, state.isSignalled) = ([], false) }
      return (state.lines, state.isSignalled)
    }
    if isSignalled { _ = pipe.fileHandleForReading.readData(ofLength: 1) }
    return lines
  }
}
