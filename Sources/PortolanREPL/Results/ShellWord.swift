/// Words of a command line of the shell, for advice that can be pasted there.
enum ShellWord {
  /// The text as one word, in quotes if it needs them.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "._-/".contains($0) }
    return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// A title as the name of a file that needs no quotes.
  static func fileName(for title: String) -> String {
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? "map" : words.joined(separator: "-")
  }
}

extension Session {
  /// A line with a command, as it is typed where the one that is running was typed: at the prompt, or in a
  /// shell, where the name of the program begins it.
  func line(_ command: String, _ arguments: String...) -> String {
    let words = [command] + arguments.map(ShellWord.quoted)
    return ((keepsMap ? [] : ["portolan"]) + words).joined(separator: " ")
  }
}
