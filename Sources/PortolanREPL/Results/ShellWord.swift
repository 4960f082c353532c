/// Words of a command line of the shell, for advice that can be pasted there.
enum ShellWord {
  /// The text as one word, in quotes if it needs them.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "._-/".contains($0) }
    return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
