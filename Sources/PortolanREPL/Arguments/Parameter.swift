/// A parameter of a command, declared once for parsing, help and completion.
///
/// A command keeps its parameters as static constants and asks ``Arguments`` for them by these:
///
/// ```swift
/// static let file = Parameter.argument("FILE", "The file to look at.", completion: .file)
/// static let limit = Parameter.option("limit", "N", "The most features to print.")
/// ```
public struct Parameter: Hashable, Sendable {
  /// The form of a parameter.
  public enum Form: Hashable, Sendable {
    /// A word whose meaning comes from its place.
    case argument
    /// `--name VALUE` or `--name=VALUE`.
    case option
    /// `--name` alone.
    case flag
  }

  /// The number of times that a parameter may be given.
  public enum Count: Hashable, Sendable {
    case exactlyOne
    case atMostOne
    case any
    case atLeastOne
  }

  /// The form of the parameter.
  public let form: Form
  /// The option's name without dashes, or the argument's placeholder.
  public let name: String
  /// The placeholder of the value in the usage line; empty for a flag.
  public let placeholder: String
  /// One sentence on what it means.
  public let summary: String
  /// The number of times that it may be given.
  public let count: Count
  /// The completions that the line editor offers.
  public let completion: CompletionKind

  /// A word with a meaning by its place; a repeatable one must be the last.
  public static func argument(
    _ placeholder: String, _ summary: String, count: Count = .exactlyOne,
    completion: CompletionKind = .nothing
  ) -> Parameter {
    Parameter(
      form: .argument, name: placeholder, placeholder: placeholder, summary: summary,
      count: count, completion: completion)
  }

  /// An option with a value.
  public static func option(
    _ name: String, _ placeholder: String, _ summary: String, count: Count = .atMostOne,
    completion: CompletionKind = .nothing
  ) -> Parameter {
    Parameter(
      form: .option, name: name, placeholder: placeholder, summary: summary, count: count,
      completion: completion)
  }

  /// An option without a value.
  public static func flag(_ name: String, _ summary: String) -> Parameter {
    Parameter(
      form: .flag, name: name, placeholder: "", summary: summary, count: .atMostOne,
      completion: .nothing)
  }

  /// Whether a command line must have it.
  public var isRequired: Bool { count == .exactlyOne || count == .atLeastOne }

  /// Whether it may be given more than once.
  public var isRepeatable: Bool { count == .any || count == .atLeastOne }

  /// As a person types it: `FILE`, `--limit N`, `--all`.
  public var spelling: String {
    switch form {
    case .argument: name
    case .option: "--\(name) \(placeholder)"
    case .flag: "--\(name)"
    }
  }

  /// Its part of a usage line: `FILE...`, `[--limit N]`.
  var usage: String {
    let repeated = spelling + (isRepeatable ? "..." : "")
    return isRequired ? repeated : "[\(repeated)]"
  }

  /// Whether a usage without most options shows it.
  var isInShortUsage: Bool { form == .argument || isRequired }

  /// The name in messages: `FILE`, `--limit`.
  var label: String { form == .argument ? name : "--\(name)" }
}
