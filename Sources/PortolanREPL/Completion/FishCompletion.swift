/// The completion script for fish.
struct FishCompletion {
  private let vocabulary: CompletionVocabulary

  init(_ table: CommandTable) { vocabulary = CompletionVocabulary(table) }

  var script: String {
    (["# Completion of portolan for fish."] + functions + ["complete -c portolan -f"]
      + vocabulary.firstWords.map(command)
      + vocabulary.families.map(members)
      + GlobalOptions.parameters.map { Self.option($0, condition: nil) }
      + vocabulary.commands.flatMap(lines)).joined(separator: "\n")
  }

  /// The functions that conditions call: whether the words so far begin like a command, and how
  /// many there are.
  ///
  /// Options do not count, nor what stands behind those that come before commands, which fish itself takes
  /// for a command.
  private var functions: [String] {
    [
      "function __portolan_words",
      "  set -l words",
      "  set -l isValue 0",
      "  set -l tokens (commandline -opc)",
      "  for word in $tokens[2..-1]",
      "    if test $isValue = 1",
      "      set isValue 0",
      "    else if contains -- $word \(vocabulary.globalsWithValue.map(\.label).joined(separator: " "))",
      "      set isValue 1",
      "    else if not string match -q -- '-*' $word",
      "      set -a words $word",
      "    end",
      "  end",
      "  string join \\n -- $words",
      "end",
      "function __portolan_begins",
      "  set -l words (__portolan_words)",
      "  set -l length (count $argv)",
      "  test (count $words) -ge $length; and test \"$words[1..$length]\" = \"$argv\"",
      "end",
      "function __portolan_counts",
      "  test (count (__portolan_words)) -eq $argv[1]",
      "end",
    ]
  }

  private func command(_ word: String) -> String {
    let summary = vocabulary.commands.first { $0.name == word }?.summary ?? ""
    return "complete -c portolan -n '__portolan_counts 0' -a \(word) -d \(Self.quoted(summary))"
  }

  private func members(_ family: (name: String, members: [String])) -> String {
    let words = family.members.joined(separator: " ")
    return "complete -c portolan -n '__portolan_begins \(family.name); and __portolan_counts 1' "
      + "-a '\(words)'"
  }

  private func lines(_ command: CommandDeclaration) -> [String] {
    let condition = CompletionVocabulary.names(of: command).map(Self.begins)
      .joined(separator: "; or ")
    let options = command.options.map { Self.option($0, condition: condition) }
    let inTurn = vocabulary.argumentsInTurn(of: command).map { place in
      "complete -c portolan -n '__portolan_counts \(place.wordsBefore); and \(condition)' "
        + "-a '\(place.words.joined(separator: " "))'"
    }
    guard inTurn.isEmpty else { return options + inTurn }
    switch vocabulary.argument(of: command) {
    case .nothing: return options
    case .files: return options + ["complete -c portolan -n '\(condition)' -F"]
    case .words(let words):
      return options + [
        "complete -c portolan -n '\(condition)' -a '\(words.joined(separator: " "))'"
      ]
    }
  }

  /// The condition that the line begins with a name.
  private static func begins(_ name: String) -> String {
    let words = name.split(separator: " ").map { "\"\($0)\"" }
    return "__portolan_begins \(words.joined(separator: " "))"
  }

  private static func option(_ option: Parameter, condition: String?) -> String {
    let place = condition.map { " -n '\($0)'" } ?? ""
    let value =
      switch (option.form, CompletionVocabulary.values(of: option)) {
      case (.flag, _), (.argument, _): ""
      case (.option, .files): " -r -F"
      case (.option, .words(let words)): " -x -a '\(words.joined(separator: " "))'"
      case (.option, .nothing): " -x"
      }
    return "complete -c portolan\(place) -l \(option.name)\(value) -d \(quoted(option.summary))"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
