/// The name and the parameters of a command, as data for parsing, help and completion.
public struct CommandDeclaration: Sendable {
  /// A line to try, and what it does.
  public struct Example: Hashable, Sendable {
    /// The line, without `portolan`.
    public var line: String
    /// The summary, in a few words.
    public var summary: String

    /// Creates an example.
    public init(_ line: String, _ summary: String) {
      self.line = line
      self.summary = summary
    }
  }

  /// The word that calls the command, or two where it is one of a family: `edit add`.
  public var name: String
  /// Other words that call it.
  public var aliases: [String]
  /// One sentence for the list of commands.
  public var summary: String
  /// Its heading in the list of commands.
  public var topic: Topic
  /// The parameters: arguments in their order, then options.
  public var parameters: [Parameter]
  /// The discussion beyond the summary; paragraphs without line breaks.
  public var discussion: [String]
  /// Lines to try.
  public var examples: [Example]

  /// Creates a declaration.
  public init(
    _ name: String, aliases: [String] = [], summary: String, topic: Topic,
    parameters: [Parameter] = [], discussion: [String] = [], examples: [Example] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.topic = topic
    self.parameters = parameters
    self.discussion = discussion
    self.examples = examples
  }

  /// The arguments, in order.
  var arguments: [Parameter] { parameters.filter { $0.form == .argument } }

  /// The options and flags.
  var options: [Parameter] { parameters.filter { $0.form != .argument } }

  /// The most characters of a usage that names every option; about two lines of a terminal.
  private static let longestUsage = 160

  /// The command with all it takes, on one line; of many options only those that have to be given.
  var usage: String {
    line(naming: hasManyOptions ? parameters.filter(\.isInShortUsage) : parameters)
  }

  /// The usage as advice, saying where the options are that it leaves out.
  var usageAdvice: String {
    "Usage: \(usage)" + (hasManyOptions ? "; \"help \(name)\" lists them." : "")
  }

  private var hasManyOptions: Bool { line(naming: parameters).count > Self.longestUsage }

  private func line(naming shown: [Parameter]) -> String {
    let words = [name] + shown.map(\.usage)
    return (shown.count < parameters.count ? words + ["[options]"] : words).joined(separator: " ")
  }
}

/// The headings of the list of commands.
public enum Topic: String, Hashable, Sendable, CaseIterable {
  case files = "Files"
  case portal = "The portal"
  case library = "Maps on this device"
  case map = "The open map"
  case tiles = "Tiles of online maps"
  case editing = "Editing"
  case shell = "The shell"
}
