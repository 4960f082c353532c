public import Foundation

/// A mobile map package: maps with everything they need, in one file or folder.
///
/// Opening reads the directory, the metadata and the map documents; the data of layers are opened
/// when they are requested, in place where the package stores them uncompressed.
///
/// - SeeAlso: Docs/FORMATS.md, 1
public struct MobileMapPackage: Sendable {
  /// The file or folder.
  public let url: URL
  /// The metadata of the package.
  public let info: PackageInfo
  /// The names of its maps, in order, those included that cannot be opened.
  public let mapNames: [String]
  /// The maps that can be opened, in order.
  public let maps: [MobileMap]
  /// Why maps cannot be opened, by name.
  public let failures: [String: PackageError]
  /// The preplanned area that the package was made from, if any.
  public let area: PreplannedAreaRecord?
  /// The parts of the package that cannot be read, each with its path.
  public let unreadableParts: [UnreadablePart]
  /// Warnings, in sentences.
  public let warnings: [String]

  /// Whether it is one map that was made of something else, such as a file of tiles.
  public let isMadeOfOther: Bool
  /// The databases in it, if it is an archive, from which no edits can be sent.
  public internal(set) var archivedDatabases: ArchivedDatabases?

  /// Creates a package of parts that are already open.
  public init(
    url: URL, info: PackageInfo, mapNames: [String], maps: [MobileMap],
    failures: [String: PackageError] = [:], area: PreplannedAreaRecord? = nil,
    unreadableParts: [UnreadablePart] = [], warnings: [String] = [], isMadeOfOther: Bool = false
  ) {
    self.url = url
    self.info = info
    self.mapNames = mapNames
    self.maps = maps
    self.failures = failures
    self.area = area
    self.unreadableParts = unreadableParts
    self.isMadeOfOther = isMadeOfOther
    self.warnings = warnings + unreadableParts.map(\.sentence)
  }
}

/// Something in a package that is in a closed format.
///
/// - SeeAlso: Docs/FORMATS.md, 5
public struct UnreadablePart: Hashable, Sendable {
  /// The kind of the part.
  public enum Kind: String, Hashable, Sendable {
    case locator
    case transportationNetwork
  }

  /// The kind of the part.
  public let kind: Kind
  /// The path in the package.
  public let path: String

  /// Creates a part.
  public init(kind: Kind, path: String) {
    self.kind = kind
    self.path = path
  }

  /// A sentence for people.
  public var sentence: String {
    switch kind {
    case .locator:
      "The locator \"\(path)\" is in a closed format and cannot be read. The layers of the maps are "
        + "searched instead."
    case .transportationNetwork:
      "The transportation network \"\(path)\" is in a closed format and cannot be read."
    }
  }
}
