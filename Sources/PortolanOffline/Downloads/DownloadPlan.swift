internal import Foundation
internal import PortolanLibrary
internal import PortolanPortal

/// What a map is to be made of, as a portal says before anything is fetched.
struct DownloadPlan: Hashable, Sendable {
  /// The id that the map is stored under.
  let mapID: MapID
  /// How it is stored.
  let form: StoredMap.Form
  /// The files that are fetched.
  let files: [PlannedFile]
}

/// A file of a portal that a map is made of.
struct PlannedFile: Hashable, Sendable, Identifiable {
  /// The item that holds it.
  let item: PortalItem
  /// Where it goes, below the folder of the map.
  let path: String
  /// What fails with it: titles of layers and tables.
  var affects: [String] = []

  var id: PortalItem.ID { item.id }

  /// Its size in bytes, if the portal says so.
  var byteCount: Int? { item.size.flatMap { Int(exactly: $0) } }

  /// What the portal says that changes with the file.
  var version: FileVersion { FileVersion(modified: item.modified, byteCount: byteCount) }
}

/// What tells one version of a file from another.
struct FileVersion: Hashable, Sendable, Codable {
  /// When its item was changed last.
  var modified: Date?
  /// Its size, if the portal says so.
  var byteCount: Int?
}
