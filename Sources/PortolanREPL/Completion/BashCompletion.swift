/// The completion script for bash.
struct BashCompletion {
  private let vocabulary: CompletionVocabulary

  init(_ table: CommandTable) { vocabulary = CompletionVocabulary(table) }

  var script: String {
    ([
      "# Completion of portolan for bash.",
      "_portolan() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
      "  local name= member= word i count=0 values= options= files=",
      "  COMPREPLY=()",
      "  for ((i = 1; i < COMP_CWORD; i++)); do",
      "    word=${COMP_WORDS[i]}",
      "    case $word in",
      "      \(globalsWithValue)) ((i++))",
      // To bash a colon is a word of its own, as in the address of a portal.
      "        while [[ ${COMP_WORDS[i+1]} == : ]]; do ((i += 2)); done ;;",
      "      -*) ;;",
      "      *) ((++count))",
      "        if [[ -z $name ]]; then name=$word; elif [[ -z $member ]]; then member=$word; fi ;;",
      "    esac",
      "  done",
    ] + families + [
      "  case \"$name|$prev\" in"
    ] + optionValues + [
      "  esac",
      "  case $name in",
    ] + vocabulary.commands.flatMap(lines) + [
      "    '') values='\(vocabulary.firstWords.joined(separator: " "))'",
      "      options='\(Self.names(GlobalOptions.parameters))' ;;",
      "  esac",
      "  if [[ $cur == -* ]]; then values=$options files=; fi",
      "  _portolan_offer",
      "}",
      "_portolan_offer() {",
      "  if [[ -n $values ]]; then COMPREPLY=($(compgen -W \"$values\" -- \"$cur\")); fi",
      "  if [[ -n $files ]]; then",
      "    compopt -o filenames 2>/dev/null",
      "    local file",
      "    while IFS= read -r file; do COMPREPLY+=(\"$file\"); done < <(compgen -f -- \"$cur\")",
      "  fi",
      "}",
      "complete -F _portolan portolan",
    ]).joined(separator: "\n")
  }

  private var globalsWithValue: String {
    vocabulary.globalsWithValue.map(\.label).joined(separator: "|")
  }

  /// A family's member becomes a part of the name; while it is missing, the members are offered.
  private var families: [String] {
    vocabulary.families.map { family in
      let members = family.members
      return "  if [[ $name == \(family.name) ]]; then case $member in "
        + "\(members.joined(separator: "|"))) name=\"\(family.name) $member\" ;; "
        + "'') values='\(members.joined(separator: " "))' ;; esac; fi"
    }
  }

  /// After an option that takes a value, nothing but its values is offered.
  private var optionValues: [String] {
    let global = vocabulary.globalsWithValue.map { "    *'|\($0.label)') \(Self.answer($0)) ;;" }
    return global
      + vocabulary.commands.flatMap { command in
        command.options.filter { $0.form == .option }.map { option in
          let words = CompletionVocabulary.names(of: command).map { "'\($0)|\(option.label)'" }
          return "    \(words.joined(separator: "|"))) \(Self.answer(option)) ;;"
        }
      }
  }

  private static func answer(_ option: Parameter) -> String {
    switch CompletionVocabulary.values(of: option) {
    case .nothing: "return"
    case .files: "values= files=1; _portolan_offer; return"
    case .words(let words): "values='\(words.joined(separator: " "))'; _portolan_offer; return"
    }
  }

  private func lines(_ command: CommandDeclaration) -> [String] {
    let names = CompletionVocabulary.names(of: command).map { "'\($0)'" }.joined(separator: "|")
    let inTurn = vocabulary.argumentsInTurn(of: command).map { place in
      "\(place.wordsBefore)) values=\"$values \(place.words.joined(separator: " "))\" ;;"
    }
    let argument =
      switch vocabulary.argument(of: command) {
      case _ where !inTurn.isEmpty: "; case $count in \(inTurn.joined(separator: " ")) esac"
      case .nothing: ""
      case .files: " files=1"
      case .words(let words): " values=\"$values \(words.joined(separator: " "))\""
      }
    return ["    \(names)) options='\(Self.names(vocabulary.options(of: command)))'\(argument) ;;"]
  }

  private static func names(_ options: [Parameter]) -> String {
    options.map(\.label).joined(separator: " ")
  }
}
