/// The words that completion scripts offer: commands, options and their values.
struct CompletionVocabulary {
  /// The completions for the value of an option, or for an argument.
  enum Values: Hashable {
    case nothing
    case files
    case words([String])
  }

  let commands: [CommandDeclaration]
  /// The first words of commands, each once.
  let firstWords: [String]
  /// The second words, by the first.
  let families: [(name: String, members: [String])]

  init(_ table: CommandTable) {
    commands = table.declarations
    firstWords = table.firstWords
    families = table.firstWords.compactMap { name in
      let members = table.members(ofFamily: name)
      return members.isEmpty ? nil : (name, members)
    }
  }

  /// The options of a command, with those that all commands take.
  func options(of command: CommandDeclaration) -> [Parameter] {
    command.options + GlobalOptions.parameters
  }

  /// The names of a command, its own first.
  static func names(of command: CommandDeclaration) -> [String] { [command.name] + command.aliases }

  /// The options that take a value and are written before a command.
  var globalsWithValue: [Parameter] { GlobalOptions.parameters.filter { $0.form == .option } }

  static func values(of parameter: Parameter) -> Values {
    switch parameter.completion {
    case .choice(let words): .words(words)
    case .file, .mapOrFile: .files
    case .nothing, .command, .word: .nothing
    }
  }

  /// The completions for the first argument of a command; later ones are files where it is.
  func argument(of command: CommandDeclaration) -> Values {
    if command.arguments.contains(where: { $0.completion == .command }) {
      return .words(firstWords)
    }
    return command.arguments.map(Self.values).first { $0 != .nothing } ?? .nothing
  }

  /// The completions for an argument.
  struct Place {
    /// The number of words before it, options not counted.
    let wordsBefore: Int
    let words: [String]
  }

  /// The completions for each argument of a command in turn; empty where they do not take different
  /// words.
  func argumentsInTurn(of command: CommandDeclaration) -> [Place] {
    var places: [Place] = []
    var wordsBefore = command.name.split(separator: " ").count
    for argument in command.arguments {
      if case .words(let words) = Self.values(of: argument) {
        places.append(Place(wordsBefore: wordsBefore, words: words))
      }
      wordsBefore += 1
    }
    return Set(places.map(\.words)).count > 1 ? places : []
  }
}
