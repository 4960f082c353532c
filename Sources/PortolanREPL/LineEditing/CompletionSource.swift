internal import Synchronization

/// The words that the line editor may offer, and the title of the open map, as of the last command.
///
/// The editor works on a thread of its own and must not wait for the main actor, so commands leave
/// a copy here whenever the open map or the library changes.
public final class CompletionSource: Sendable {
  /// The words and the name of the open map.
  public struct Snapshot: Hashable, Sendable {
    /// The words of each kind.
    public var words: [SessionWord: [String]] = [:]
    /// The title of the open map, shown as the prompt.
    public var mapTitle: String?

    /// A snapshot of a session without a map.
    public init() {}
  }

  private let state = Mutex(Snapshot())

  /// Creates a source without words.
  public init() {}

  /// The current snapshot.
  public var snapshot: Snapshot { state.withLock { $0 } }

  /// Replaces what there is.
  public func update(_ snapshot: Snapshot) { state.withLock { $0 = snapshot } }

  /// The prompt: the open map's title, or the program's name.
  var prompt: String {
    let title = snapshot.mapTitle?.withoutControlCharacters ?? ""
    let shown = title.count > 30 ? title.prefix(29) + "…" : title
    return (shown.isEmpty ? "portolan" : shown) + "> "
  }
}
