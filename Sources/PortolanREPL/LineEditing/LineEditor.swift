internal import CEdit
internal import Foundation

/// The line editor of libedit on the terminal of the process.
///
/// Keys and `~/.editrc` work as in other programs that use the library. Ctrl-C drops the line,
/// Ctrl-D leaves on an empty one, Ctrl-Z suspends, Tab completes. Notes that come while the user
/// types appear above the line. Everything that the callbacks need hangs on the editor itself, so
/// there is no global state.
@safe
struct LineEditor: ~Copyable {
  private static let historyLength: Int32 = 1_000

  private let handle: OpaquePointer
  private let history: OpaquePointer
  private let historyFile: HistoryFile?
  private let context: EditorContext

  /// Creates an editor, or `nil` if the terminal is not fit for one.
  init?(completer: Completer, historyFile: URL?, notes: PromptNotes) {
    Self.useUTF8()
    guard let handle = unsafe cedit_open("portolan") else { return nil }
    guard let history = unsafe history_init() else {
      unsafe el_end(handle)
      return nil
    }
    unsafe self.handle = handle
    unsafe self.history = history
    self.historyFile = historyFile.map { HistoryFile(url: $0, length: Self.historyLength) }
    context = EditorContext(completer: completer, notes: notes)
    configure()
    loadHistory()
  }

  deinit {
    unsafe history_end(history)
    unsafe el_end(handle)
  }

  /// Waits for a line.
  func readLine(prompt: String) -> LineEvent {
    context.begin(prompt: prompt)
    // The window may have changed its size while a command ran.
    unsafe el_resize(handle)
    // The library does so only after it has shown the prompt; a key pressed at once would be
    // taken for a line or a signal.
    unsafe cedit_prepare_terminal(handle, 1)
    var count: Int32 = 0
    let bytes = unsafe el_gets(handle, &count)
    for note in context.end() { unsafe cedit_print(handle, note + "\n") }
    if context.isInterrupted { return .interrupted }
    guard let bytes = unsafe bytes, count > 0 else {
      unsafe cedit_print(handle, "\n")
      return .end
    }
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
    let line = unsafe String(decoding: buffer, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    remember(line)
    return .line(line)
  }

  private func configure() {
    let client = unsafe Unmanaged.passUnretained(context).toOpaque()
    unsafe cedit_set_client(handle, client)
    unsafe cedit_set_prompt(handle, editorPrompt)
    unsafe cedit_set_reader(handle, editorRead)
    unsafe cedit_set_mode(handle, "emacs")
    unsafe cedit_set_history(handle, history)
    unsafe cedit_add(handle, "portolan-complete", "Complete the word", editorComplete)
    unsafe cedit_add(handle, "portolan-interrupt", "Drop the line", editorInterrupt)
    unsafe cedit_add(handle, "portolan-suspend", "Suspend the program", editorSuspend)
    unsafe cedit_bind(handle, "^I", "portolan-complete")
    // As signals these would reach whichever thread the system likes; as keys they come here.
    unsafe cedit_set_terminal(handle, "-isig")
    unsafe cedit_bind(handle, "^C", "portolan-interrupt")
    unsafe cedit_bind(handle, "^Z", "portolan-suspend")
    unsafe cedit_bind(handle, "^R", "em-inc-search-prev")
    unsafe el_source(handle, nil)
  }

  private func loadHistory() {
    unsafe cedit_history_number(history, H_SETSIZE, Self.historyLength)
    unsafe cedit_history_number(history, H_SETUNIQUE, 1)
    guard let historyFile else { return }
    unsafe cedit_history_text(history, H_LOAD, historyFile.url.path(percentEncoded: false))
  }

  /// Adds a line to the history and saves it, so that it survives whatever the line does.
  private func remember(_ line: String) {
    guard line.contains(where: { !$0.isWhitespace }) else { return }
    unsafe cedit_history_text(history, H_ENTER, line)
    historyFile?.add(line)
  }

  /// Lets the library read characters beyond ASCII, whatever the environment says.
  private static func useUTF8() {
    let isSet = unsafe setlocale(LC_CTYPE, "") != nil
    let codeset = unsafe nl_langinfo(Int32(CODESET))
    if isSet, let codeset = unsafe codeset, unsafe String(cString: codeset) == "UTF-8" { return }
    _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
  }
}
