/// Why the pages of a file cannot be read directly.
///
/// Not a word for people: whoever gets one asks SQLite, which reads what is only unusual and says
/// what is wrong with what is damaged.
public enum PageError: Error, Hashable, Sendable {
  /// The file is absent, may not be read, or is no SQLite file.
  case unreadable
  /// The file uses something that is left to SQLite, such as a journal or UTF-16.
  case unusual
  /// A page says what cannot be true.
  case damaged(page: Int)
}
