public import Foundation
internal import PortolanFiles

/// Why an operation of the library of stored maps failed.
public enum LibraryError: Error, Hashable, Sendable {
  /// The catalogue cannot be read or written.
  case catalogue(file: String, reason: String)
  /// The catalogue was written by a newer Portolan.
  case newerCatalogue(file: String, version: Int)
  /// The catalogue is not what it should be, and can be rebuilt.
  case damagedCatalogue(file: String, reason: String)
  /// The catalogue was deleted or moved away while it was open.
  case catalogueGone(file: String)
  /// Another process keeps the catalogue for itself.
  case busyCatalogue(file: String, by: String?)
  /// The home can only be read.
  case readOnlyHome(file: String, reason: String)
  /// The home lies on a file system without locks, so that it cannot be protected from changes.
  case homeWithoutLocks(String)
  /// A folder of the home was there before it, with something in it that is not Portolan's.
  case takenFolder(String)
  /// The disk is full.
  case diskFull(file: String)
  /// A file or folder cannot be written or moved.
  case unwritable(file: String, reason: String)
  /// A file or folder cannot be read now, which says nothing of what is in it.
  case unreadable(file: String, reason: String)
  /// A file or folder has its new place, but the disk did not confirm it; the next start finishes it.
  case durabilityUnknown(file: String, reason: String)
  /// A map has its place, but there is no space left to put it on the list; the next start does.
  case notRecorded(map: String)
  /// A file of a map is not what it should be.
  case damaged(file: String, reason: String)
  /// Parts of a map are missing, cut or altered.
  case damagedMap(map: String, reason: String, mayHoldEdits: Bool)
  /// Parts of the version to restore are missing, cut or altered.
  case damagedVersion(map: String, reason: String)
  /// There is no stored map of that name.
  case noSuchMap(String)
  /// There is no such map in the trash, or none at all.
  case notInTrash(String?)
  /// A map that was deleted with edits, and was set aside under a name when it was stored again.
  case deletedAndKept(map: String, name: String)
  /// Nothing of that name was set aside.
  case notKept(String)
  /// There is no earlier version of the map.
  case noEarlierVersion(map: String)
  /// The files of a stored map are gone.
  case filesMissing(map: String)
  /// Some process has the map open.
  case inUse(map: String, by: String?)
  /// Some process edits the map.
  case beingEdited(map: String, by: String?)
  /// A journal lies beside a database that is copied in, and its contents cannot be copied.
  case strayJournal(file: String, reason: String)
  /// Another program keeps a database of a map locked, or writes to it all the time, so that it cannot be read
  /// now, nor copied as it was at one time; that passes, and says nothing of what is in it.
  case beingWritten(file: String, by: String? = nil)
  /// A link is where the folder of a map belongs: moving it away, or storing a version beyond it, would part
  /// the versions of the map.
  case linkedFolder(file: String)
  /// A newer version has replaced the one that is open.
  case outdated(map: String)
  /// The map holds edits that its service has not received yet.
  case unsentEdits(map: String, count: Int)
  /// Whether the map holds edits that its service has not received cannot be determined.
  case editsUnknown(map: String, reason: String)
  /// What was to be deleted does not lie in a folder that Portolan has marked.
  case notOurs(file: String)
  /// The work was cancelled; all is as before.
  case cancelled
}

extension LibraryError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .catalogue(let file, let reason): "The catalogue \(file) cannot be used: \(reason)."
    case .newerCatalogue(let file, let version):
      "The catalogue \(file) has version \(version), which a newer Portolan has written."
    case .damagedCatalogue(let file, let reason): "The catalogue \(file) is damaged: \(reason)."
    case .catalogueGone(let file):
      "The catalogue \(file) was deleted or moved away while it was open."
    case .busyCatalogue(let file, let holder):
      "The catalogue \(file) is busy: \(holder ?? "another process") is writing to it."
    case .readOnlyHome(let file, let reason): "\(file) can only be read: \(reason)."
    case .homeWithoutLocks(let home):
      "\(home) is on storage that has no file locks, without which edits could be lost."
    case .takenFolder(let folder):
      "\(folder) was not created by Portolan, and is not empty: what is in it would count as Portolan's own."
    case .diskFull(let file): "The disk is full: \(file) cannot be written."
    case .unwritable(let file, let reason): "\(file) cannot be written: \(reason)."
    case .unreadable(let file, let reason): "\(file) cannot be read now: \(reason)."
    case .durabilityUnknown(let file, let reason):
      "\(file) is in its place, but the disk did not confirm it: \(reason)."
    case .damaged(let file, let reason): "\(file) is damaged: \(reason)."
    case .notRecorded, .damagedMap, .damagedVersion, .noSuchMap, .notInTrash, .deletedAndKept,
      .notKept, .noEarlierVersion, .filesMissing, .inUse, .beingEdited, .outdated, .unsentEdits,
      .editsUnknown:
      mapSentence
    case .beingWritten(let file, let holder?):
      "\(file) cannot be read now: \(holder) keeps it locked."
    case .beingWritten(let file, nil): "\(file) cannot be read now: another program writes to it."
    case .linkedFolder(let file):
      "\(file) is a link, not the folder of a map: no version is stored there."
    case .strayJournal(let file, let reason): "There may be edits in \"\(file)\": \(reason)."
    case .notOurs(let file): "\(file) was not created by Portolan, which does not delete it."
    case .cancelled: "The work was cancelled."
    }
  }

  private var mapSentence: String? {
    switch self {
    case .notRecorded(let map):
      "\"\(map)\" is stored, but cannot be put on the list yet: the disk is full."
    case .damagedMap(let map, let reason, mayHoldEdits: true):
      "\"\(map)\" is damaged and may hold edits that were not sent: \(reason)"
    case .damagedMap(let map, let reason, mayHoldEdits: false):
      "\"\(map)\" is damaged: \(reason)"
    case .damagedVersion(let map, let reason):
      "The version of \"\(map)\" that was to be restored is damaged: \(reason)"
    case .noSuchMap(let name): "There is no map \"\(name)\" on this device."
    case .notInTrash(let name?): "There is no map \"\(name)\" in the trash."
    case .notInTrash(nil): "The trash is empty."
    case .deletedAndKept(let map, let name):
      "The deleted \"\(map)\" is not in the trash: it was downloaded again since, and the copy with "
        + "edits is on the list of what was set aside, as \"\(name)\"."
    case .notKept(let name): "Nothing named \"\(name)\" was set aside."
    case .noEarlierVersion(let map): "There is no earlier version of \"\(map)\"."
    case .filesMissing(let map): "The files of \"\(map)\" are missing."
    case .inUse(let map, let holder): "\"\(map)\" is open\(Self.by(holder))."
    case .beingEdited(let map, let holder): "\"\(map)\" is being edited\(Self.by(holder))."
    case .outdated(let map):
      "\"\(map)\" was updated after it was opened: edits would go into the old version."
    case .unsentEdits(let map, let count):
      "\"\(map)\" holds \(count == 1 ? "an edit" : "\(count) edits") not sent yet."
    case .editsUnknown(let map, let reason):
      "Whether \"\(map)\" holds edits that were not sent cannot be determined: \(reason)"
    default: nil
    }
  }

  private static func by(_ holder: String?) -> String {
    holder.map { " in \($0)" } ?? ""
  }

  public var recoverySuggestion: String? {
    switch self {
    case .catalogue: "Check that you may write there."
    case .damagedCatalogue:
      "The library can be repaired: a new catalogue is made from the old one and from the maps."
    case .catalogueGone:
      "Put it back, or start again: a new one is made then, and lists the maps that are there."
    case .busyCatalogue: "Try again when that process is done, or end it."
    case .newerCatalogue: "Use that version, or another home folder."
    case .readOnlyHome: "Maps can be opened, but nothing can be changed. Make the folder writable."
    case .homeWithoutLocks:
      "Maps can be opened, but nothing can be changed. Move the folder to a disk of this device, or to "
        + "storage that has locks."
    case .takenFolder:
      "Use another home folder. If this one is a home that has lost its catalogue and its hidden files, "
        + "create an empty file .portolan-room in that folder."
    case .diskFull: "Free some space: delete maps that you do not need, and empty the trash."
    case .notRecorded:
      "Free some space: delete maps that you do not need, and empty the trash. It is on the list with the next "
        + "start, and need not be stored again."
    case .unwritable(_, FileError.otherDisk): "Keep all folders of the home on one disk."
    case .unwritable: "Check that there is space on the disk and that you may write there."
    case .unreadable: "Check that you may read it and that the disk is sound. Nothing was changed."
    case .beingWritten:
      "Close the map in the other program, or wait until it is done, and try again. Nothing was changed."
    case .linkedFolder:
      "Move the folder that it leads to into its place; all folders of the home have to be on one disk. "
        + "Nothing was changed."
    case .durabilityUnknown: "Check the disk, then start again: what is unfinished is completed."
    case .damaged: "Audit the library, and repair what it finds."
    case .damagedMap(_, _, mayHoldEdits: true):
      "Export it as it is. What is missing or damaged is so in the file, too. Audit the library, and "
        + "repair what it finds. That sets the map aside, with its edits."
    case .damagedMap:
      "Audit the library, and repair what it finds. Then download or import the map again."
    case .damagedVersion:
      "The current version stays as it is. If it is damaged as well, download or import the map again."
    case .noSuchMap: "Check the list of maps."
    case .notInTrash(nil): "No map was deleted, or the trash was emptied since."
    case .notInTrash:
      "Check what was deleted and can be restored. A map with edits that was stored again since is on the "
        + "list of what was set aside."
    case .deletedAndKept: "Restore it from there; it becomes a map of its own."
    case .notKept: "Check the list of what was set aside."
    case .noEarlierVersion: "The version before is kept until its space is needed."
    case .filesMissing: "Download it again."
    case .inUse: "Close it and try again."
    case .beingEdited: "Close it and try again; its edits are kept."
    case .strayJournal:
      "Put the database beside it that it belongs to, or move it away if nothing in it is needed."
    case .outdated: "Open it again to edit it."
    case .unsentEdits: "Send the edits to their service. Nothing was changed."
    case .editsUnknown:
      "Close the map where it is open and try again. If its files are damaged, repair the library, "
        + "which sets the map aside. Nothing was changed."
    case .notOurs, .cancelled: nil
    }
  }
}
