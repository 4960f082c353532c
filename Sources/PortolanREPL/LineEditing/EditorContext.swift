internal import CEdit
internal import Foundation

/// The context of the callbacks of a line editor; it is used only while the editor reads a line.
@safe
final class EditorContext {
  private static let longestListing = 100

  private let completer: Completer
  private let notes: PromptNotes
  private let keys = KeyReader()
  private var prompt = UnsafeMutablePointer<CChar>.allocate(capacity: 1)

  private var promptWidth = 0

  /// Whether the line was dropped with Ctrl-C.
  var isInterrupted = false

  init(completer: Completer, notes: PromptNotes) {
    self.completer = completer
    self.notes = notes
    unsafe prompt.initialize(to: 0)
  }

  deinit { unsafe prompt.deallocate() }

  /// Prepares for the next line.
  func begin(prompt text: String) {
    isInterrupted = false
    promptWidth = text.count
    notes.open()
    let bytes = text.utf8CString
    unsafe prompt.deallocate()
    unsafe prompt = .allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { unsafe (prompt + index).initialize(to: byte) }
  }

  /// The line is over; answers the notes that it has left unshown.
  func end() -> [String] { notes.close() }

  /// Waits for a character, and shows the notes that come meanwhile; `nil` at the end of input.
  func nextCharacter(in editor: OpaquePointer) -> Unicode.Scalar? {
    while true {
      switch keys.wait(besides: notes.descriptor) {
      case .key: return keys.read()
      case .other: unsafe show(notes.take(), in: editor)
      case .end: return nil
      }
    }
  }

  /// Shows lines where the prompt is, and the prompt with what was typed below them.
  private func show(_ lines: [String], in editor: OpaquePointer) {
    guard !lines.isEmpty else { return }
    let above = unsafe rowsAboveCursor(in: editor)
    let up = above > 0 ? "\u{1B}[\(above)A" : ""
    let text = lines.map { $0 + "\n" }.joined()
    unsafe cedit_print(editor, "\(up)\r\u{1B}[J\(text)")
    unsafe cedit_refresh(editor)
  }

  /// The number of rows of the terminal that the prompt and the line fill above that of the cursor.
  private func rowsAboveCursor(in editor: OpaquePointer) -> Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      let text = unsafe textBeforeCursor(in: editor)
    else { return 0 }
    return (promptWidth + text.count) / Int(size.ws_col)
  }

  private func textBeforeCursor(in editor: OpaquePointer) -> String? {
    guard let line = unsafe el_line(editor), let start = unsafe line.pointee.buffer,
      let cursor = unsafe line.pointee.cursor
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: cursor - start)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// The prompt as the library wants it; valid until the next line begins.
  var promptBytes: UnsafeMutablePointer<CChar> { unsafe prompt }

  /// Completes the word before the cursor of `editor`.
  func complete(in editor: OpaquePointer) -> Int32 {
    guard let text = unsafe textBeforeCursor(in: editor) else { return CC_ERROR }
    let completion = completer.complete(text)
    guard completion != Completer.Completion() else { return CC_REFRESH_BEEP }
    unsafe el_deletestr(editor, Int32(completion.removedCount))
    if !completion.insertion.isEmpty { unsafe el_insertstr(editor, completion.insertion) }
    guard !completion.candidates.isEmpty else { return CC_REFRESH }
    unsafe cedit_print(editor, Self.listing(of: completion.candidates))
    return CC_REDISPLAY
  }

  private static func listing(of candidates: [String]) -> String {
    var shown = candidates.prefix(longestListing).map(\.withoutControlCharacters)
    if candidates.count > shown.count { shown.append("… \(candidates.count - shown.count) more") }
    return "\n" + shown.joined(separator: "  ") + "\n"
  }
}

// Closures given to C from an isolated context would be checked on the wrong thread; these
// functions are isolated to nothing.

private func context(of editor: OpaquePointer?) -> EditorContext? {
  guard let editor = unsafe editor, let client = unsafe cedit_client(editor) else { return nil }
  return unsafe Unmanaged<EditorContext>.fromOpaque(client).takeUnretainedValue()
}

/// Tells the library what to show before the line.
let editorPrompt: @convention(c) (OpaquePointer?) -> UnsafeMutablePointer<CChar>? = {
  unsafe context(of: $0)?.promptBytes
}

/// Fetches a character for the library.
let editorRead: @convention(c) (OpaquePointer?, UnsafeMutablePointer<wchar_t>?) -> Int32 = {
  editor, place in
  guard let editor = unsafe editor, let place = unsafe place,
    let scalar = unsafe context(of: editor)?.nextCharacter(in: editor)
  else { return 0 }
  unsafe place.pointee = wchar_t(scalar.value)
  return 1
}

/// Tab.
let editorComplete: @convention(c) (OpaquePointer?, Int32) -> UInt8 = { editor, _ in
  guard let editor = unsafe editor, let context = unsafe context(of: editor) else {
    return UInt8(CC_ERROR)
  }
  return unsafe UInt8(context.complete(in: editor))
}

/// Ctrl-C.
let editorInterrupt: @convention(c) (OpaquePointer?, Int32) -> UInt8 = { editor, _ in
  guard let editor = unsafe editor else { return UInt8(CC_ERROR) }
  unsafe context(of: editor)?.isInterrupted = true
  unsafe cedit_print(editor, "^C\n")
  return UInt8(CC_EOF)
}

/// Ctrl-Z: stops the program, and shows the line again when it continues.
let editorSuspend: @convention(c) (OpaquePointer?, Int32) -> UInt8 = { editor, _ in
  guard let editor = unsafe editor else { return UInt8(CC_ERROR) }
  unsafe cedit_prepare_terminal(editor, 0)
  unsafe cedit_print(editor, "\n")
  suspendProcess()
  unsafe cedit_prepare_terminal(editor, 1)
  return UInt8(CC_REDISPLAY)
}

/// Stops the process and returns when it continues.
///
/// Threads of dispatch queues block the signal, and one sent to the process would stop it only
/// after this thread has gone on for a while; so it is let through and raised right here.
private func suspendProcess() {
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, SIGTSTP)
  var blocked = sigset_t()
  unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
  raise(SIGTSTP)
  unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
}
