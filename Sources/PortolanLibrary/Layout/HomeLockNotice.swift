/// Reports that another process keeps the right to move maps of a home for longer than a second.
public enum HomeLockNotice: Hashable, Sendable {
  /// What was asked for waits for it.
  case waits(holder: String?)
  /// What was asked for only reads, and continues beside it.
  case goesOn(holder: String?)

  /// What is going on, a sentence for people.
  public var sentence: String {
    switch self {
    case .waits(let holder):
      "Waiting for \(holder ?? "another process"), which is changing what is stored here."
    case .goesOn(let holder):
      "\(Self.sentenceStart(holder)) is changing what is stored here; what it does may not be listed yet."
    }
  }

  private static func sentenceStart(_ holder: String?) -> String {
    let holder = holder ?? "another process"
    return holder.prefix(1).uppercased() + holder.dropFirst()
  }
}
