public import Foundation

/// A finding of an audit: something in a home that is not as it should be.
public enum LibraryFinding: Hashable, Sendable {
  /// A record whose files are missing.
  case filesMissing(map: StoredMap)
  /// A map with parts that are missing, cut or altered, or that cannot be opened.
  case damaged(map: StoredMap, reason: String, mayHoldEdits: Bool)
  /// A map that was imported with parts that cannot be read, and is as it was then.
  case incomplete(map: StoredMap, reason: String)
  /// A map that cannot be read now, which says nothing of what is in it.
  case unreadable(map: StoredMap, reason: String)
  /// A map that no record knows, and that can be opened.
  case unrecorded(URL, title: String)
  /// A version of a map that no record knows.
  case unknownVersion(URL, map: StoredMap)
  /// Something in a folder of maps that is no map.
  case foreign(URL, reason: String)
  /// What a job left that is over or forgotten.
  case abandoned(URL)
  /// Something in the trash that no record knows.
  case unknownTrash(URL)
  /// A deletion or its undoing that was interrupted, or the emptying of the trash.
  case halfDeleted(map: StoredMap)
  /// A map that was taking its place when it was interrupted.
  case halfInstalled(map: StoredMap)
  /// Something that was being removed.
  case halfRemoved(URL)
  /// A record that cannot be read.
  case unreadableRecord(String)

  /// The finding, a sentence for people.
  public var sentence: String {
    switch self {
    case .filesMissing(let map): "The files of \"\(map.title)\" are missing."
    case .damaged(let map, let reason, _): "\"\(map.title)\" is damaged: \(reason)"
    case .incomplete(let map, let reason): "\"\(map.title)\" is incomplete: \(reason)"
    case .unreadable(let map, let reason): "\"\(map.title)\" cannot be read now: \(reason)"
    case .unrecorded(let url, let title):
      "\"\(title)\" is stored in \(url.lastPathComponent), but not in the catalogue."
    case .unknownVersion(let url, let map):
      "\(url.lastPathComponent) is a version of \"\(map.title)\" that is not in the catalogue."
    case .foreign(let url, let reason): "\(url.nameOfVersion) is not a map: \(reason)"
    case .abandoned(let url) where HomeLayout.isOfImport(url):
      "\(url.lastPathComponent) was left by an import that was interrupted."
    case .abandoned(let url): "\(url.lastPathComponent) was left by a download that is over."
    case .unknownTrash(let url): "\(url.lastPathComponent) is in the trash without a record."
    case .halfDeleted(let map): "Deleting or restoring \"\(map.title)\" was interrupted."
    case .halfInstalled(let map): "Storing \"\(map.title)\" was interrupted."
    case .halfRemoved(let url): "Removing \(url.lastPathComponent) was interrupted."
    case .unreadableRecord(let name): "The record \(name) cannot be read."
    }
  }

  /// The names, without extensions, of something that no record is known to be about and of the folder
  /// that it is in.
  var names: [String] {
    switch self {
    case .unrecorded(let url, _), .foreign(let url, _), .abandoned(let url),
      .unknownTrash(let url):
      [url, url.deletingLastPathComponent()]
        .map { $0.deletingPathExtension().lastPathComponent }
    case .unknownVersion(_, let map): [map.id.text]
    case .filesMissing, .damaged, .incomplete, .unreadable, .halfDeleted, .halfInstalled,
      .halfRemoved, .unreadableRecord:
      []
    }
  }

  /// The record that it is about; `nil` if it is about none.
  public var map: StoredMap? {
    switch self {
    case .filesMissing(let map), .damaged(let map, _, _), .unreadable(let map, _),
      .incomplete(let map, _), .halfDeleted(let map), .halfInstalled(let map):
      map
    case .unknownVersion, .unrecorded, .foreign, .abandoned, .unknownTrash, .halfRemoved,
      .unreadableRecord:
      nil
    }
  }

  /// What repairing does about it, a sentence for people; `nil` if it does nothing.
  public var repair: String? {
    switch self {
    case .filesMissing:
      "Bring the version before back, if there is one; else remove it from the list."
    case .damaged(let map, _, mayHoldEdits: true):
      "Set it aside in the folder \"kept\", since it may hold edits, so that it can be "
        + "\(map.wayBack) again."
    case .damaged(let map, _, _): "Move it to the trash, so that it can be \(map.wayBack) again."
    case .unrecorded: "Put it on the list."
    case .unknownVersion: "Record it as an earlier version."
    case .foreign, .unknownTrash:
      "Remove it; if there are geodatabases in it, set it aside in the folder \"kept\"."
    case .abandoned(let url) where HomeLayout.isOfImport(url): "Remove it."
    case .abandoned:
      "Remove it. If no job is known that left it and it may hold edits that were not sent, set it aside in "
        + "the folder \"kept\"."
    case .halfDeleted, .halfInstalled, .halfRemoved: "Finish it."
    case .incomplete, .unreadable, .unreadableRecord: nil
    }
  }
}

extension StoredMap {
  /// How it came onto this device, and comes again.
  fileprivate var wayBack: String {
    if case .imported = origin { return "imported" }
    return "downloaded"
  }
}

extension URL {
  /// The name of something in a folder of maps, with that folder where it is the number of a version.
  fileprivate var nameOfVersion: String {
    guard Int(deletingPathExtension().lastPathComponent) != nil else { return lastPathComponent }
    return "\(deletingLastPathComponent().lastPathComponent)/\(lastPathComponent)"
  }
}
