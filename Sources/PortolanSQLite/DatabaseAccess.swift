public import Foundation

extension Database {
  /// What a file may be used for, and how far it is trusted.
  ///
  /// Every connection is defensive: no extensions, no functions with side effects in a schema,
  /// bounded lengths. ``immutable``, ``readOnly`` and ``edit`` also switch views and triggers off,
  /// because the file may come from a stranger.
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

    /// Reads and writes a file that exists and may come from a stranger: its views and triggers
    /// stay off, so that whoever writes must do what these would have done.
    case edit

    /// Reads and writes a file, making an empty one if there is none.
    case create

    /// How to open a file that is only read: as ``immutable``, unless somebody has left, or is
    /// leaving, changes in a journal beside it, which belong to what the file says.
    public static func forReading(_ url: URL) -> Access {
      let path = url.path(percentEncoded: false)
      let hasJournal = ["-wal", "-journal"].contains {
        FileManager.default.fileExists(atPath: path + $0)
      }
      return hasJournal ? .readOnly : .immutable
    }

    /// Whether the file may be changed.
    public var isWritable: Bool { self == .readWrite || self == .edit || self == .create }

    /// Whether views and triggers of the file may run.
    var trustsSchema: Bool { self == .readWrite || self == .create }
  }
}
