public import Foundation

/// Something that is not as it should be in a home.
public enum LibraryFinding: Hashable, Sendable {
  /// A record whose files are gone.
  case filesMissing(map: StoredMap)
  /// A map whose files cannot be opened.
  case damaged(map: StoredMap, reason: String)
  /// A map that no record knows, and that can be opened.
  case unrecorded(URL, title: String)
  /// Something in a folder of maps that is no map.
  case foreign(URL, reason: String)
  /// What a job left that is over or forgotten.
  case abandoned(URL)
  /// Something in the trash that no record knows.
  case unknownTrash(URL)
  /// A deletion that was interrupted, or the emptying of the trash.
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
    case .filesMissing(let map): "The files of «\(map.title)» are gone."
    case .damaged(let map, let reason): "«\(map.title)» cannot be opened: \(reason)"
    case .unrecorded(let url, let title):
      "«\(title)» is stored in \(url.lastPathComponent), but not in the catalogue."
    case .foreign(let url, let reason): "\(url.lastPathComponent) is no map: \(reason)"
    case .abandoned(let url): "\(url.lastPathComponent) was left by a download that is over."
    case .unknownTrash(let url): "\(url.lastPathComponent) is in the trash for no known reason."
    case .halfDeleted(let map): "The deletion of «\(map.title)» was interrupted."
    case .halfInstalled(let map): "Storing «\(map.title)» was interrupted."
    case .halfRemoved(let url): "Removing \(url.lastPathComponent) was interrupted."
    case .unreadableRecord(let name): "The record \(name) cannot be read."
    }
  }

  /// The name, without its extension, of something that no record is known to be about.
  var name: String? {
    switch self {
    case .unrecorded(let url, _), .foreign(let url, _), .abandoned(let url),
      .unknownTrash(let url):
      url.deletingPathExtension().lastPathComponent
    case .filesMissing, .damaged, .halfDeleted, .halfInstalled, .halfRemoved, .unreadableRecord:
      nil
    }
  }

  /// What repairing does about it, a sentence for people; `nil` if it does nothing.
  public var repair: String? {
    switch self {
    case .filesMissing: "Take it off the list."
    case .damaged: "Move it to the trash, so that it can be downloaded again."
    case .unrecorded: "Put it on the list."
    case .foreign, .abandoned, .unknownTrash: "Remove it."
    case .halfDeleted, .halfInstalled, .halfRemoved: "Finish it."
    case .unreadableRecord: nil
    }
  }
}
