internal import PortolanApp

/// Sorts the words of a command line into the parameters that a command declares.
///
/// Options may be anywhere: `--name VALUE`, `--name=VALUE`, `--name`. A word that begins with a
/// dash and a digit or a dash and a point is a value (`-68.2,44.3`), and so is everything after
/// `--`.
struct ArgumentParser {
  /// A word, seen by itself.
  enum Word: Equatable {
    case value(String)
    case option(name: String, value: String?)
    case endOfOptions

    init(_ text: String) {
      if text == "--" {
        self = .endOfOptions
      } else if text.hasPrefix("--") {
        let parts = text.dropFirst(2).split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        self = .option(name: String(parts[0]), value: parts.dropFirst().first.map(String.init))
      } else if text == "-h" {
        self = .option(name: GlobalOptions.helpFlag.name, value: nil)
      } else if text.hasPrefix("-"), let next = text.dropFirst().first, !next.isNumber, next != "."
      {
        self = .option(name: String(text.dropFirst()), value: nil)
      } else {
        self = .value(text)
      }
    }
  }

  private var words: ArraySlice<String>
  private var takesOptions = true

  init(_ words: [String]) { self.words = words[...] }

  /// Takes the options before the command's name, and then the name, if there is one.
  mutating func commandName(_ globals: inout GlobalOptions) throws(UsageError) -> String? {
    while let text = words.popFirst() {
      switch Word(text) {
      case .value(let name): return name
      case .endOfOptions: takesOptions = false
      case .option where !takesOptions: return text
      case .option(let name, let value):
        let parameter = try option(
          named: name, as: text, among: GlobalOptions.parameters,
          otherwise: "Type \"help\" for the list of commands and options.")
        try globals.set(parameter, to: self.value(of: parameter, attached: value))
      }
    }
    return nil
  }

  /// Takes the next word if it is one of `words`.
  mutating func word(among words: [String]) -> String? {
    guard takesOptions, let next = self.words.first, words.contains(next) else { return nil }
    return self.words.popFirst()
  }

  /// Takes the words after the command's name.
  mutating func arguments(
    of command: CommandDeclaration, _ globals: inout GlobalOptions
  ) throws(UsageError) -> Arguments {
    var arguments = Arguments()
    var places = command.arguments[...]
    while let text = words.popFirst() {
      switch takesOptions ? Word(text) : .value(text) {
      case .endOfOptions: takesOptions = false
      case .value(let value):
        guard let place = places.first else {
          throw UsageError(
            "\"\(value)\" is an argument too many.", suggestion: command.usageAdvice)
        }
        arguments.add(value, for: place)
        if !place.isRepeatable { places.removeFirst() }
      case .option(let name, let value):
        let known = command.options + GlobalOptions.parameters
        let parameter = try option(named: name, as: text, among: known)
        let value = try self.value(of: parameter, attached: value)
        if GlobalOptions.parameters.contains(parameter) {
          try globals.set(parameter, to: value)
        } else {
          guard parameter.isRepeatable || !arguments.isGiven(parameter) else {
            throw UsageError("\(parameter.label) is given twice.")
          }
          arguments.add(value ?? "", for: parameter)
        }
      }
    }
    return arguments
  }

  private func option(
    named name: String, as text: String, among known: [Parameter], otherwise advice: String? = nil
  ) throws(UsageError) -> Parameter {
    if let parameter = known.first(where: { $0.name == name }) { return parameter }
    let spelling = text.split(separator: "=").first.map(String.init) ?? text
    throw UsageError(
      "There is no option \(spelling) here.",
      suggestion: Suggestion.sentence(for: "--" + name, among: known.map { "--" + $0.name })
        ?? advice)
  }

  /// The value of an option, or `nil` for a flag.
  private mutating func value(
    of parameter: Parameter, attached: String?
  ) throws(UsageError) -> String? {
    guard parameter.form == .option else {
      if let attached {
        throw UsageError("\(parameter.label) takes no value, but has \"\(attached)\".")
      }
      return nil
    }
    if let attached { return attached }
    guard let next = words.first, !next.hasPrefix("--") else {
      throw UsageError(
        "\(parameter.label) needs a value.",
        suggestion: "Write \(parameter.label)=\(parameter.placeholder).")
    }
    words.removeFirst()
    return next
  }
}
