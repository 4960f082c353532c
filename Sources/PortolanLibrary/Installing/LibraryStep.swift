/// A moment between two changes to the disk, after which a process may die.
///
/// Reported for tests that die there; Docs/STORAGE.md says what is on the disk at each.
package enum LibraryStep: String, Sendable, CaseIterable {
  /// What a job starts from is put together, but not in its place.
  case reuseLinked = "reuse-linked"
  /// All files of a map that is to be stored are on the disk.
  case installSynced = "install-synced"
  /// The catalogue says what is about to be stored.
  case installAnnounced = "install-announced"
  /// The files are in their place, beside the version before.
  case installMoved = "install-moved"
  /// The catalogue says what is stored; the previous version can be restored.
  case installRecorded = "install-recorded"
  /// A version that is no longer needed has a name that says that it is to be removed.
  case versionRetired = "version-retired"
  /// The catalogue says that an earlier version is the current one again.
  case rollbackRecorded = "rollback-recorded"
  /// The catalogue says that a map is deleted.
  case deleteRecorded = "delete-recorded"
  /// Its files are in the trash.
  case deleteMoved = "delete-moved"
  /// The files of a map that is restored are in their place.
  case undoMoved = "undo-moved"
  /// What is to be removed has a name that says so.
  case removeNamed = "remove-named"
  /// The catalogue no longer knows of what was in the trash.
  case trashForgotten = "trash-forgotten"
  /// A map that was found is in its place.
  case adoptMoved = "adopt-moved"
  /// A map of an older home has a second name for each of its files, in a folder of versions.
  case migrationLinked = "migration-linked"
  /// That folder has taken the place of the map.
  case migrationMoved = "migration-moved"
  /// The catalogue says so.
  case migrationRecorded = "migration-recorded"
  /// A damaged map is kept, out of the way of a new download.
  case keptMoved = "kept-moved"
}
