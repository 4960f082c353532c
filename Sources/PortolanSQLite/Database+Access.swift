extension Database {
  /// The permitted access to a file, and how far the file is trusted.
  ///
  /// Every connection is defensive: no extensions, no functions with side effects in a schema,
  /// bounded lengths. ``immutable``, ``readOnly`` and ``edit`` also switch views and triggers off,
  /// because the file may come from a stranger.
  public enum Access: Hashable, Sendable {
    /// Reads a file that cannot change, without locks and without looking for a journal.
    ///
    /// For private copies, and for regions of other files. A file that can be written, by whomever,
    /// is opened as ``readOnly``, which finds out where locks cannot be acquired.
    case immutable

    /// Reads a file that others may write to, as it was after the last commit.
    ///
    /// Takes SQLite's locks. Where the file may be written, what a writer that died has left is
    /// recovered in place, as every program over SQLite does; where not, in a private copy. See
    /// ``ReadOnlyOpening``. Statements cannot change the file.
    case readOnly

    /// Reads and writes a file that exists.
    case readWrite

    /// Reads and writes a file that exists and may come from a stranger: its views and triggers
    /// stay off, so that writers must do what these would have done.
    case edit

    /// Reads and writes a file, making an empty one if there is none.
    case create

    /// Whether the file may be changed.
    public var isWritable: Bool { self == .readWrite || self == .edit || self == .create }

    /// Whether views and triggers of the file may run.
    var trustsSchema: Bool { self == .readWrite || self == .create }
  }
}
