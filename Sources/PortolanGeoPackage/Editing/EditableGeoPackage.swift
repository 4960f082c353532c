public import Foundation
public import PortolanFeatures
public import PortolanGeodatabase

/// A GeoPackage, opened for editing; see `EditableFileStore`.
///
/// Edits keep right what the file's triggers would: the spatial index, and the counts that GDAL
/// keeps. They also keep the extent and the moment of the last change in the contents, and the
/// pairs of related rows. A table with triggers of another kind is not edited, since no one can
/// tell what these would do. Edits are found by `localChanges()` through Portolan's journal.
///
/// - SeeAlso: Docs/FORMATS.md, 4.1
public final class EditableGeoPackage: EditableFileStore {
  public let session: EditingSession

  private init(_ session: EditingSession) { self.session = session }

  /// Opens a file; see `EditableGeodatabase.open(at:user:undoLimit:now:makeID:)`.
  public static func open(
    at url: URL, user: String? = nil, undoLimit: Int = 100,
    now: @escaping @Sendable () -> Date, makeID: @escaping @Sendable () -> UUID
  ) throws(FeatureEditError) -> EditableGeoPackage {
    let settings = EditingSettings(
      user: user, undoLimit: undoLimit, now: now, makeID: makeID, format: GeoPackageFormat())
    return EditableGeoPackage(try EditingSession(url, settings))
  }
}
