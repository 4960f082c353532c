extension Database {
  /// What a file may be used for, and how far it is trusted.
  ///
  /// Every connection is defensive: no extensions, no functions with side effects in a schema,
  /// bounded lengths. The first two cases also switch views and triggers off, because the file
  /// may come from a stranger.
  public enum Access: Hashable, Sendable {
    /// Reads a file that nobody changes meanwhile, without locks and without looking for a
    /// journal beside it.
    ///
    /// Opens a file that was left in write-ahead mode also on read-only storage ("Docs/FORMATS.md,
    /// 2.1"). What stands in a `-wal` file beside it is not seen: use ``readOnly`` where there
    /// is one.
    case immutable

    /// Reads a file that others may write to; takes locks, and honours the journal.
    case readOnly

    /// Reads and writes a file that exists.
    case readWrite

    /// Reads and writes a file, making an empty one if there is none.
    case create

    /// Whether the file may be changed.
    public var isWritable: Bool { self == .readWrite || self == .create }
  }
}
