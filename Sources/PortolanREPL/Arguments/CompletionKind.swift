/// The kind of words that the line editor offers for a value.
public enum CompletionKind: Hashable, Sendable {
  case nothing
  /// Names of files and folders.
  case file
  /// Names of commands.
  case command
  /// Words that the session knows at the time.
  case word(SessionWord)
  /// A fixed list.
  case choice([String])
  /// A map that is stored or on the portal, or a file with one.
  case mapOrFile
}
