internal import Foundation
internal import PortolanPortal

/// A file of a map: where it is fetched, its name here, its size and format, and what distinguishes
/// its version from others.
///
/// Nothing of its name comes from a server but an id that was checked: titles and file names of
/// portals name no path.
struct PlannedFile: Hashable, Sendable, Identifiable {
  /// The expected kind of a file; also the extension of its name, by which it is opened and
  /// verified.
  enum Kind: String, Hashable, Sendable {
    case geodatabase
    case tilePackage = "tpk"
    case compactTilePackage = "tpkx"
    case vectorTilePackage = "vtpk"
    case mobileMapPackage = "mmpk"
  }

  /// The id of the item that holds it.
  let id: PortalItem.ID
  /// The URL from which it is fetched.
  let address: URL
  /// The path below the folder of the map.
  let path: String
  /// The version, as the portal gives it.
  let version: FileVersion
  /// The name for people.
  let title: String
  /// The titles of the layers and tables that are missing without it.
  let affects: [String]

  /// Plans to fetch the file of an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - portal: The portal that has it.
  ///   - kind: What the file has to be.
  ///   - folder: Where it goes, below the folder of the map; `nil` for that folder itself.
  ///   - affects: What fails with it.
  init(
    _ item: PortalItem, of portal: Portal, as kind: Kind, in folder: String? = nil,
    affects: [String] = []
  ) {
    id = item.id
    address = portal.dataURL(of: item.id)
    let name = Self.name(of: item.id, as: kind)
    path = folder.map { "\($0)/\(name)" } ?? name
    version = FileVersion(modified: item.modified, byteCount: item.plausibleByteCount)
    title = item.title
    self.affects = affects
  }

  /// The name of an item's file here.
  static func name(of id: PortalItem.ID, as kind: Kind) -> String { "\(id).\(kind.rawValue)" }

  /// Its size in bytes, if the portal says so.
  var byteCount: Int? { version.byteCount }
}

/// The properties that distinguish one version of a file from another.
struct FileVersion: Hashable, Sendable, Codable {
  /// When its item was changed last.
  var modified: Date?
  /// Its size, if the portal says so.
  var byteCount: Int?
}

extension PortalItem {
  /// The most bytes that a file can have, a petabyte, so that sums of them cannot overflow.
  private static let mostBytes: Int64 = 1 << 50

  /// The size of its file, if the portal says one that a file can have.
  var plausibleByteCount: Int? {
    size.flatMap { (0...Self.mostBytes).contains($0) ? Int(exactly: $0) : nil }
  }
}
