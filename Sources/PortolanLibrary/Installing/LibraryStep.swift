/// A moment between two changes to the disk, after which a process may die.
///
/// Told for tests that die there; see Docs/STORAGE.md for what is on the disk at each.
package enum LibraryStep: String, Sendable, CaseIterable {
  /// What a job starts from is linked, but not in its place.
  case reuseLinked = "reuse-linked"
  /// All files of a map that is to be stored are on the disk.
  case installSynced = "install-synced"
  /// The catalogue says what is about to be stored.
  case installAnnounced = "install-announced"
  /// The files are in their place.
  case installMoved = "install-moved"
  /// The files have changed places with those of the version before.
  case installExchanged = "install-exchanged"
  /// The version before is in the trash.
  case installReplaced = "install-replaced"
  /// The catalogue says what is stored.
  case installRecorded = "install-recorded"
  /// The catalogue says that a map is deleted.
  case deleteRecorded = "delete-recorded"
  /// Its files are in the trash.
  case deleteMoved = "delete-moved"
  /// The files of a map that is taken back are in their place.
  case undoMoved = "undo-moved"
  /// What is to be removed has a name that says so.
  case removeNamed = "remove-named"
  /// The catalogue no longer knows of what was in the trash.
  case trashForgotten = "trash-forgotten"
  /// A map that was found is in its place.
  case adoptMoved = "adopt-moved"
}
