/// The completion script for zsh.
struct ZshCompletion {
  private let vocabulary: CompletionVocabulary

  init(_ table: CommandTable) { vocabulary = CompletionVocabulary(table) }

  var script: String {
    ([
      "#compdef portolan",
      "# Completion of portolan for zsh.",
      "_portolan() {",
      "  local name= member= word prev=${words[CURRENT-1]} i count=0",
      "  local -a commands options",
      "  for ((i = 2; i < CURRENT; i++)); do",
      "    word=${words[i]}",
      "    case $word in",
      "      (\(globalsWithValue)) ((i++)) ;;",
      "      (-*) ;;",
      "      (*) ((++count))",
      "        if [[ -z $name ]]; then name=$word; elif [[ -z $member ]]; then member=$word; fi ;;",
      "    esac",
      "  done",
    ] + families + [
      "  case \"$name|$prev\" in"
    ] + optionValues + [
      "  esac",
      "  case $name in",
    ] + vocabulary.commands.map(line) + [
      "    ('')",
      "      commands=(\(commands))",
      "      options=(\(Self.described(GlobalOptions.parameters)))",
      "      _describe command commands ;;",
      "  esac",
      "  [[ $PREFIX == -* ]] && _describe option options",
      "}",
      "if [[ $funcstack[1] == _portolan ]]; then _portolan \"$@\"; else compdef _portolan portolan; fi",
    ]).joined(separator: "\n")
  }

  private var globalsWithValue: String {
    vocabulary.globalsWithValue.map(\.label).joined(separator: "|")
  }

  private var families: [String] {
    vocabulary.families.map { family in
      "  if [[ $name == \(family.name) ]]; then case $member in "
        + "(\(family.members.joined(separator: "|"))) name=\"\(family.name) $member\" ;; "
        + "('') compadd -- \(family.members.joined(separator: " ")) ;; esac; fi"
    }
  }

  private var optionValues: [String] {
    let global = vocabulary.globalsWithValue.map {
      "    (*'|\($0.label)') \(Self.offer($0)); return ;;"
    }
    return global
      + vocabulary.commands.flatMap { command in
        command.options.filter { $0.form == .option }.map { option in
          let words = CompletionVocabulary.names(of: command).map { "'\($0)|\(option.label)'" }
          return "    (\(words.joined(separator: "|"))) \(Self.offer(option)); return ;;"
        }
      }
  }

  private static func offer(_ parameter: Parameter) -> String {
    offer(CompletionVocabulary.values(of: parameter))
  }

  private static func offer(_ values: CompletionVocabulary.Values) -> String {
    switch values {
    case .nothing: ":"
    case .files: "_files"
    case .words(let words): "compadd -- \(words.joined(separator: " "))"
    }
  }

  private func line(_ command: CommandDeclaration) -> String {
    let names = CompletionVocabulary.names(of: command).map { "'\($0)'" }.joined(separator: "|")
    let inTurn = vocabulary.argumentsInTurn(of: command).map { place in
      "(\(place.wordsBefore)) \(Self.offer(.words(place.words))) ;;"
    }
    let argument =
      inTurn.isEmpty
      ? Self.offer(vocabulary.argument(of: command))
      : "case $count in \(inTurn.joined(separator: " ")) esac"
    return "    (\(names)) options=(\(Self.described(vocabulary.options(of: command))))"
      + "; [[ $PREFIX != -* ]] && \(argument) ;;"
  }

  private var commands: String {
    vocabulary.firstWords.map { word in
      let summary = vocabulary.commands.first { $0.name == word }?.summary ?? ""
      return Self.quoted("\(word):\(summary)")
    }.joined(separator: " ")
  }

  private static func described(_ options: [Parameter]) -> String {
    options.map { quoted("\($0.label):\($0.summary)") }.joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
