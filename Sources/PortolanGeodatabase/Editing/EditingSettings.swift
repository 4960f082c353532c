package import Foundation

/// The editor of a geodatabase, and the sources of the values that edits fill in.
package struct EditingSettings: Sendable {
  package var user: String?
  package var undoLimit: Int
  package var now: @Sendable () -> Date
  package var makeID: @Sendable () -> UUID
  /// The format of the file.
  package var format: any TableFormat

  package init(
    user: String?, undoLimit: Int, now: @escaping @Sendable () -> Date,
    makeID: @escaping @Sendable () -> UUID, format: any TableFormat = GeodatabaseFormat()
  ) {
    self.user = user
    self.undoLimit = undoLimit
    self.now = now
    self.makeID = makeID
    self.format = format
  }
}
