public import Foundation
public import PortolanFeatures

/// A mobile geodatabase, opened for editing; see ``EditableFileStore``.
///
/// Edits keep the history, the spatial index and the object ids as Esri's own triggers do.
///
/// - SeeAlso: Docs/FORMATS.md, 2.6
public final class EditableGeodatabase: EditableFileStore {
  public let session: EditingSession

  private init(_ session: EditingSession) { self.session = session }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - user: Who edits, for editor tracking; `nil` if nobody is signed in.
  ///   - undoLimit: How many groups of edits can be undone at most.
  ///   - now: The clock of histories and editor tracking.
  ///   - makeID: What makes the global ids of new rows.
  /// - Returns: The open file.
  /// - Throws: `FeatureEditError`: `fileReadOnly`, `folderReadOnly`, `unreadable`, `damaged`.
  public static func open(
    at url: URL, user: String? = nil, undoLimit: Int = 100,
    now: @escaping @Sendable () -> Date, makeID: @escaping @Sendable () -> UUID
  ) throws(FeatureEditError) -> EditableGeodatabase {
    let settings = EditingSettings(user: user, undoLimit: undoLimit, now: now, makeID: makeID)
    return EditableGeodatabase(try EditingSession(url, settings))
  }
}
