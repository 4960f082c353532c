/// The completion script for fish.
struct FishCompletion {
  private let vocabulary: CompletionVocabulary

  init(_ table: CommandTable) { vocabulary = CompletionVocabulary(table) }

  var script: String {
    (["# Completion of portolan for fish.", "complete -c portolan -f"]
      + vocabulary.firstWords.map(command)
      + vocabulary.families.map(members)
      + GlobalOptions.parameters.map { Self.option($0, condition: nil) }
      + vocabulary.commands.flatMap(lines)).joined(separator: "\n")
  }

  private func command(_ word: String) -> String {
    let summary = vocabulary.commands.first { $0.name == word }?.summary ?? ""
    return "complete -c portolan -n __fish_use_subcommand -a \(word) -d \(Self.quoted(summary))"
  }

  private func members(_ family: (name: String, members: [String])) -> String {
    let words = family.members.joined(separator: " ")
    return "complete -c portolan -n '__fish_seen_subcommand_from \(family.name); "
      + "and not __fish_seen_subcommand_from \(words)' -a '\(words)'"
  }

  private func lines(_ command: CommandDeclaration) -> [String] {
    let condition = CompletionVocabulary.names(of: command).map(Self.isSeen)
      .joined(separator: "; or ")
    let options = command.options.map { Self.option($0, condition: condition) }
    switch vocabulary.argument(of: command) {
    case .nothing: return options
    case .files: return options + ["complete -c portolan -n '\(condition)' -F"]
    case .words(let words):
      return options + [
        "complete -c portolan -n '\(condition)' -a '\(words.joined(separator: " "))'"
      ]
    }
  }

  /// That all words of a name are on the line.
  private static func isSeen(_ name: String) -> String {
    let words = name.split(separator: " ").map { "__fish_seen_subcommand_from \"\($0)\"" }
    return words.count == 1 ? words[0] : "begin; \(words.joined(separator: "; and ")); end"
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
