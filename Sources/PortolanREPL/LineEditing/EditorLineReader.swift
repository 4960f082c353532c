public import Foundation
internal import PortolanFiles
internal import Synchronization

/// Reads lines that a person types and edits at the terminal.
///
/// Waiting for keys blocks, so the editor has a queue of its own, which alone touches it.
public final class EditorLineReader: LineReader {
  private let queue = DispatchQueue(label: "PortolanREPL.EditorLineReader")
  private let editor: Mutex<LineEditor>

  public let isInteractive = true

  /// Creates a reader for the terminal of the process, with the words of `session` to complete.
  ///
  /// Returns `nil` if standard input or output is no terminal. The lines are kept from one run to
  /// the next in the file that `makeHistoryFile` names, having made the folder for it; where it
  /// cannot, the user is told.
  @MainActor public init?(for session: Session, makeHistoryFile: () throws -> URL) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    var historyFile: URL?
    do {
      historyFile = try makeHistoryFile()
    } catch {
      session.presenter.note("The history is not kept: \(error.plainReason).")
    }
    let completer = Completer(
      commands: session.interpreter.commands, source: session.completions)
    guard
      let editor = LineEditor(
        completer: completer, historyFile: historyFile,
        notes: session.console.promptNotes ?? PromptNotes())
    else { return nil }
    self.editor = Mutex(editor)
  }

  public func nextLine(prompt: String) async -> LineEvent {
    await withCheckedContinuation { continuation in
      queue.async {
        // Only this queue takes the lock, so nothing waits for the person who types.
        let event = self.editor.withLock { $0.readLine(prompt: prompt) }
        continuation.resume(returning: event)
      }
    }
  }
}
